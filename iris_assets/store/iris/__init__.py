"""The server engine: InterSystems IRIS. Nothing outside this folder knows its limits or its SQL."""
