"""The bundled synthetic sample and the simulator that serves any replay folder."""
