"""Troubles that the simulator makes on purpose: slow answers, refusals, cut bodies, HTML, in any order asked."""

import random
import threading
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from iris_assets.sample.reply import Reply, html_reply

DROP: Final = "drop"  # the connection closes before an answer
TRUNCATE: Final = "truncate"  # half of the body comes, the whole length was declared
CUT: Final = "cut"  # half of the body comes, and its length is declared as if that were all
HTML: Final = "html"  # a block page with status 200


@dataclass(frozen=True, slots=True)
class Fault:
    """One trouble: an HTTP status, or one of DROP, TRUNCATE, CUT, HTML, or a whole Reply."""

    kind: int | str | Reply
    retry_after: str | None = None


class ConnectionDropped(Exception):
    """The simulated host closed the connection."""


@dataclass(slots=True)
class Faults:
    """`latency_s` for every answer; `rates` by fault kind, drawn with `seed`; scripts by path, one a request."""

    latency_s: float = 0.0
    rates: Mapping[int | str, float] = field(default_factory=dict)
    retry_after: str | None = None  # sent with the random 429 and 503
    seed: int = 1
    _random: random.Random = field(init=False, repr=False)
    _scripts: dict[str, deque[Fault]] = field(init=False, repr=False)
    _lock: threading.Lock = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._scripts = defaultdict(deque)
        self._lock = threading.Lock()

    def script(self, path: str, faults: Iterable[Fault | int | str]) -> None:
        """The next requests to exactly this path get these faults, one each; then the true answer again."""
        made = (fault if isinstance(fault, Fault) else Fault(fault) for fault in faults)
        with self._lock:
            self._scripts[path].extend(made)

    def next_for(self, path: str) -> Fault | None:
        with self._lock:
            if self._scripts.get(path):
                return self._scripts[path].popleft()
            draw = self._random.random() if self.rates else 1.0
        for kind, rate in self.rates.items():
            if draw < rate:
                return Fault(kind, self.retry_after if kind in (429, 503) else None)
            draw -= rate
        return None


def spoil(reply: Reply, fault: Fault) -> Reply:
    """The answer that a fault makes of the true one; ConnectionDropped for DROP."""
    if isinstance(fault.kind, Reply):
        return fault.kind
    if isinstance(fault.kind, int):
        page = html_reply(fault.kind, f"Erro {fault.kind}")
        extra = {"Retry-After": fault.retry_after} if fault.retry_after else {}
        return replace(page, headers={**page.headers, **extra})
    if fault.kind == DROP:
        raise ConnectionDropped
    if fault.kind == HTML:
        return html_reply(200, "Acesso bloqueado")
    if fault.kind in (TRUNCATE, CUT):
        half = reply.body[: len(reply.body) // 2]
        return replace(reply, body=half, declared=len(reply.body) if fault.kind == TRUNCATE else None)
    return reply
