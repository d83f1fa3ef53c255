"""The services of the running application, handed to the routes."""

from collections.abc import Iterator
from typing import Annotated

from fastapi import Depends, Request

from iris_assets.answers.opening import Services


def services_of(request: Request) -> Iterator[Services]:
    """The services that the application opened at its start; a server's connection goes back with the last request."""
    services: Services = request.app.state.services
    with services.store.work():
        yield services


ServicesDependency = Annotated[Services, Depends(services_of)]
