"""iris-assets: official Brazilian political records as Dagster data assets with verified answers."""

__version__ = "0.1.0"
