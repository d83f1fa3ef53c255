"""The services of the running application, handed to the routes."""

from typing import Annotated

from fastapi import Depends, Request

from iris_assets.answers.opening import Services


def services_of(request: Request) -> Services:
    """The services that the application opened at its start."""
    services: Services = request.app.state.services
    return services


ServicesDependency = Annotated[Services, Depends(services_of)]
