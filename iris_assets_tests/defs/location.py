"""The code location, built once, for Dagster's own loops in a test's process (they would load it again at each tick)."""

from iris_assets.definitions import build

definitions = build()
