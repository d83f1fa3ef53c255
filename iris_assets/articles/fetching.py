"""One page from the web: few redirects, one deadline, a largest size, and no host of the private network."""

import http.client
import ipaddress
import logging
import socket
import ssl
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit

from iris_assets.errors import SourceContractError, SourceUnavailableError, UsageError
from iris_assets.logs import timed, without_secrets

# NAT64 (with its local form), 6to4, Teredo, mapped and compatible addresses.
CARRYING = tuple(
    ipaddress.IPv6Network(network)
    for network in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::ffff:0:0/96", "::/96")
)
log = logging.getLogger(__name__)

LARGEST_BYTES: Final = 10 * 1024 * 1024  # after decompression
REDIRECTS: Final = 5
SECONDS: Final = 30.0
PIECE: Final = 65536
HTML: Final = ("text/html", "application/xhtml+xml", "text/plain", "")
HEADERS: Final = {"User-Agent": "iris-assets", "Accept": "text/html,application/xhtml+xml", "Accept-Encoding": "gzip"}


@dataclass(frozen=True, slots=True)
class Page:
    """A fetched page: the address it stood at in the end, its bytes, its Content-Type."""

    url: str
    data: bytes
    content_type: str


def fetch(url: str, *, private: bool = False, seconds: float = SECONDS) -> Page:
    """The page at an http(s) address, all in `seconds`. `private` allows hosts that are not on the public internet.

    Raises UsageError URL_INVALID, PAGE_HOST_PRIVATE; SourceUnavailableError PAGE_UNAVAILABLE; SourceContractError
    PAGE_STATUS, PAGE_REDIRECTS, PAGE_TOO_LARGE, PAGE_NOT_HTML.
    """
    with timed(log, "download", url=without_secrets(url)) as said:
        page = _followed(url, private, time.monotonic() + seconds)
        said |= {"url": without_secrets(page.url), "bytes": len(page.data)}
    return page


def _followed(url: str, private: bool, deadline: float) -> Page:
    for _ in range(REDIRECTS + 1):
        found = _once(url, private, deadline)
        if isinstance(found, Page):
            return found
        url = found
    raise SourceContractError("PAGE_REDIRECTS", f"more than {REDIRECTS} redirects", hint="save the page and give it")


def _once(url: str, private: bool, deadline: float) -> Page | str:
    """The page, or the address it redirects to."""
    parts = _parts(url)
    try:
        with _asked(parts, private, deadline) as response:
            location = response.headers.get("Location")
            if response.status in (301, 302, 303, 307, 308) and location:
                return urljoin(url, location)
            if response.status != 200:
                raise SourceContractError("PAGE_STATUS", f"the page answered {response.status}", hint="check the URL")
            kind = response.headers.get("Content-Type") or ""
            if kind.split(";")[0].strip().lower() not in HTML:
                raise SourceContractError("PAGE_NOT_HTML", "what stands there is not HTML", hint="give a page")
            return Page(parts._replace(fragment="").geturl(), _body(response, deadline), kind)
    except (OSError, http.client.HTTPException, zlib.error) as error:
        raise SourceUnavailableError(
            "PAGE_UNAVAILABLE", f"the page cannot be had ({type(error).__name__})", hint="try again later"
        ) from error


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url.strip())
        wrong = parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0
    except ValueError:
        wrong = True
    if wrong:
        raise UsageError("URL_INVALID", "the address is not an http(s) URL", hint="correct it")
    return parts


@contextmanager
def _asked(parts: SplitResult, private: bool, deadline: float) -> Iterator[http.client.HTTPResponse]:
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    connection = http.client.HTTPConnection(host, port)
    try:
        # Connected by the address that was looked at: a name that changes its address in between gains nothing.
        raw = _connected(host, port, private, deadline)
        secure = parts.scheme == "https"
        connection.sock = ssl.create_default_context().wrap_socket(raw, server_hostname=host) if secure else raw
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        ascii_target = "".join(c if c.isascii() and c > " " else _percent(c) for c in target)
        name = host.encode("idna").decode() if not host.isascii() else parts.netloc.rpartition("@")[2]
        connection.request("GET", ascii_target, headers={**HEADERS, "Host": name})
        yield connection.getresponse()
    finally:
        connection.close()


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "replace"))


def _connected(host: str, port: int, private: bool, deadline: float) -> socket.socket:
    addresses = [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not private and not all(_is_public(address) for address in addresses):
        raise UsageError(
            "PAGE_HOST_PRIVATE",
            "the host is not on the public internet",
            hint="--allow-private-hosts, or save the page",
        )
    problem: OSError = OSError("no address")
    for address in addresses:
        try:
            return socket.create_connection((address, port), timeout=_left(deadline))
        except OSError as error:
            problem = error
    raise problem


def _is_public(address: str) -> bool:
    found = ipaddress.ip_address(address.partition("%")[0])
    # An IPv6 address that carries an IPv4 one leads to a network of its choice: no server of the press needs it.
    carries = isinstance(found, ipaddress.IPv6Address) and any(found in network for network in CARRYING)
    return found.is_global and not found.is_multicast and not carries


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("the time is over")
    return left


def _body(response: http.client.HTTPResponse, deadline: float) -> bytes:
    packed = (response.headers.get("Content-Encoding") or "identity").lower()
    if packed not in ("identity", "gzip", "x-gzip"):
        raise SourceContractError("PAGE_NOT_HTML", "the page is packed in an unknown way", hint="save the page")
    unpack = None if packed == "identity" else zlib.decompressobj(wbits=31)
    data = bytearray()
    # One piece as it comes: a server that sends a byte a second must not outlast the deadline.
    while piece := response.read1(PIECE):
        data += unpack.decompress(piece, LARGEST_BYTES + 1 - len(data)) if unpack else piece
        if len(data) > LARGEST_BYTES:
            raise SourceContractError("PAGE_TOO_LARGE", f"the page is larger than {LARGEST_BYTES} bytes", hint="")
        _left(deadline)
    return bytes(data)
