"""The same stores to fill as the tests of retrieval use."""

from iris_assets_tests.retrieval.conftest import shared_world, world

__all__ = ["shared_world", "world"]
