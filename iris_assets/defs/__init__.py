"""Dagster only: thin assets, jobs, schedules, sensors and resources over the other rooms."""
