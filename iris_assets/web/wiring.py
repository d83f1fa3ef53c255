"""The platform of the running application, handed to the routes."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Request, params
from fastapi.dependencies.utils import get_flat_params

from iris_assets.errors import UsageError
from iris_assets.platform import Platform


async def platform_of(request: Request) -> AsyncIterator[Platform]:
    """The platform that the application opened at its start; a server's connection goes back with the last request."""
    platform: Platform = request.app.state.platform
    with platform.store.work():
        yield platform


PlatformDependency = Annotated[Platform, Depends(platform_of)]


async def known_parameters(request: Request) -> None:
    """Refuses query parameters that the route does not take; UsageError PARAMETER_UNKNOWN."""
    fields = get_flat_params(request.scope["route"].dependant)
    taken = {field.alias for field in fields if isinstance(field.field_info, params.Query)}
    unknown = sorted(set(request.query_params) - taken)
    if unknown:
        hint = f"this address takes: {', '.join(sorted(taken)) or 'none'}"
        raise UsageError("PARAMETER_UNKNOWN", f"unknown query parameters: {', '.join(unknown)[:200]}", hint=hint)
