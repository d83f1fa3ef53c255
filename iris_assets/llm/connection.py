"""The SDK's client for one endpoint: its own retries off, never a key of the environment that was not chosen."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from pydantic import SecretStr

from iris_assets.errors import ModelError
from iris_assets.logs import without_secrets

if TYPE_CHECKING:
    from openai import OpenAI

OPENAI_URL: Final = "https://api.openai.com/v1"
NO_KEY: Final = "none"  # the SDK insists on one; servers without keys ignore it


@dataclass(frozen=True)
class Endpoint:
    """Where an OpenAI-compatible server is and how to talk to it; thread-safe, the client is made at first use."""

    base_url: str | None = None
    api_key: SecretStr | None = None
    timeout: float = 60.0

    @property
    def shown(self) -> str:
        """The address as it may stand in a log line."""
        return without_secrets(self.base_url or OPENAI_URL)

    @property
    def is_openai(self) -> bool:
        return self.base_url is None

    @cached_property
    def client(self) -> "OpenAI":
        from openai import OpenAI

        try:
            client = OpenAI(
                base_url=self.base_url or OPENAI_URL,
                api_key=self.api_key.get_secret_value() if self.api_key else NO_KEY,
                timeout=self.timeout,
                max_retries=0,
            )
        except (ImportError, ValueError) as error:  # a proxy of the environment that the HTTP library cannot use
            raise ModelError(
                "PROXY_UNUSABLE",
                f"the proxy settings of the environment cannot be used: {str(error).partition('.')[0]}",
                hint="correct HTTPS_PROXY, HTTP_PROXY or ALL_PROXY (http:// works), or name the host in NO_PROXY",
            ) from None
        if not self.is_openai:  # OPENAI_ORG_ID and OPENAI_PROJECT_ID are of an account elsewhere
            client.organization = client.project = None
        return client
