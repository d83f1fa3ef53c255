"""The platform of the running application, handed to the routes."""

from collections.abc import Iterator
from typing import Annotated

from fastapi import Depends, Request

from iris_assets.platform import Platform


def platform_of(request: Request) -> Iterator[Platform]:
    """The platform that the application opened at its start; a server's connection goes back with the last request."""
    platform: Platform = request.app.state.platform
    with platform.store.work():
        yield platform


PlatformDependency = Annotated[Platform, Depends(platform_of)]
