"""Which addresses we may open: https, the official hosts, nothing else; asked for every hop and every `next` link."""

from typing import Final
from urllib.parse import parse_qsl, urlsplit

from iris_assets.errors import SourceContractError
from iris_assets.settings import CAMARA_HOST, TSE_CATALOGUE_HOST, TSE_FILES_HOST

ALLOWED_HOSTS: Final = frozenset({TSE_CATALOGUE_HOST, TSE_FILES_HOST, CAMARA_HOST})


def check_url(url: str) -> str:
    """Return `url`, or raise SourceContractError URL_NOT_ALLOWED (not https, another host, port or credentials)."""
    try:
        parts = urlsplit(url)
        allowed = parts.scheme == "https" and parts.hostname in ALLOWED_HOSTS and parts.port in (None, 443)
        credentials = parts.username is not None or parts.password is not None
    except ValueError:
        allowed, credentials = False, False
    if not allowed or credentials or "\\" in url:
        raise SourceContractError(
            "URL_NOT_ALLOWED",
            f"the address {shown(url)} is not one of the official hosts over https",
            hint=f"allowed hosts: {', '.join(sorted(ALLOWED_HOSTS))}",
        )
    return url


def shown(url: str) -> str:
    """An address as it may stand in a message: without credentials, escaped, at most 200 characters."""
    head, _, tail = url.partition("://")
    authority, slash, path = tail.partition("/")
    clean = f"{head}://{authority.rpartition('@')[2]}{slash}{path}" if tail else url
    return ascii(clean)[1:-1][:200]


def address_key(url: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Two addresses with the same key ask for the same thing, whatever the order of their parameters."""
    parts = urlsplit(url)
    return f"{parts.hostname}{parts.path}", tuple(sorted(parse_qsl(parts.query, keep_blank_values=True)))
