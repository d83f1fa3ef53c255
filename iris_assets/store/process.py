"""Which process opened a run: a key that tells a dead process from a live one, also after a reboot or a reused id."""

import os
import socket
import time
from dataclasses import dataclass
from pathlib import Path

_START_TIME_FIELD = 19  # of /proc/<pid>/stat, counted after the command's closing bracket


@dataclass(frozen=True, slots=True)
class ProcessIdentity:
    """Host, boot of that host, process id and the process's start time (clock ticks since boot)."""

    host: str
    boot: str
    pid: int
    started: str

    @property
    def key(self) -> str:
        return f"{self.host}|{self.boot}|{self.pid}|{self.started}"


def this_process() -> ProcessIdentity:
    """The identity of the calling process."""
    return ProcessIdentity(socket.gethostname()[:100], _boot(), os.getpid(), _started(os.getpid()))


def parse_process(key: str | None) -> ProcessIdentity | None:
    """The identity behind a stored key, or None when there is none to read."""
    parts = (key or "").split("|")
    if len(parts) != 4 or not parts[2].isdigit():
        return None
    return ProcessIdentity(parts[0], parts[1], int(parts[2]), parts[3])


def is_dead(process: ProcessIdentity) -> bool | None:
    """True or False for a process of this host, None for one that cannot be judged from here."""
    here = this_process()
    if process.host != here.host:
        return None
    if process.boot != here.boot:
        return True
    if not _exists(process.pid):
        return True
    return process.started != _started(process.pid)


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()[:8]
    except OSError:
        return "-"  # a system without /proc: host and pid have to do


def _started(pid: int) -> str:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "-"
    fields = stat.rpartition(")")[2].split()
    # A zombie is a process that ended: its parent has not looked yet.
    return "zombie" if fields[0] == "Z" else fields[_START_TIME_FIELD]


def started_at(pid: int) -> float | None:
    """When the process began (seconds since 1970), 0 where the system does not tell; None when it is gone."""
    started = _started(pid) if _exists(pid) else "zombie"
    if started == "zombie":
        return None
    if started == "-":
        return 0.0
    uptime = float(Path("/proc/uptime").read_text(encoding="ascii").split()[0])
    return time.time() - uptime + int(started) / os.sysconf("SC_CLK_TCK")
