"""Processes that walk over the same articles and may be killed: children of one parent that has everything imported."""

import os
import signal
import subprocess
import sys
from pathlib import Path

PARENT = """
import io, os, sys
from pathlib import Path
import openai
from iris_assets.articles.runtime import run_article
from iris_assets_tests.articles import samples

folder, url, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])

def walk(first):
    for i in range(count):
        value = samples.article(number=(first + i) % count)
        run_article(value, samples.PROFILE, config=samples.config(url), environment=samples.KEYS,
                    stream=io.StringIO(), **samples.paths(folder))

for line in sys.stdin:
    what, number = line.split()
    if what == "start":
        child = os.fork()
        if not child:
            code = 1
            try:
                walk(int(number))
                code = 0
            finally:
                os._exit(code)
        print(child, flush=True)
    else:
        done, status = os.waitpid(int(number), 0 if what == "wait" else os.WNOHANG)
        print(os.waitstatus_to_exitcode(status) if done else "running", flush=True)
"""


class Workers:
    """Starts, watches and kills the children."""

    def __init__(self, folder: Path, url: str, count: int) -> None:
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        self._parent = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", PARENT, str(folder), url, str(count)],
            env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def _ask(self, what: str, number: int) -> str:
        assert self._parent.stdin is not None and self._parent.stdout is not None
        print(what, number, file=self._parent.stdin, flush=True)
        return self._parent.stdout.readline().strip()

    def start(self, first: int) -> int:
        """A child that begins with the article of this number; its process id."""
        return int(self._ask("start", first))

    def ended(self, child: int) -> int | None:
        """Its exit code, None while it runs; may be asked until it ended."""
        answer = self._ask("poll", child)
        return None if answer == "running" else int(answer)

    def wait(self, child: int) -> int:
        """Its exit code, negative for the signal that ended it."""
        return int(self._ask("wait", child))

    def kill(self, child: int) -> int:
        """`kill -9`."""
        os.kill(child, signal.SIGKILL)
        return self.wait(child)

    def close(self) -> None:
        """End the parent."""
        self._parent.communicate(timeout=30)
