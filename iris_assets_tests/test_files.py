"""Shared files: a lock holds between threads and processes, a write is whole or not at all."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from iris_assets.files import locked, sha256_of, write_aside, write_atomically

HOLDER = """
import pathlib, sys, time
from iris_assets.files import locked
with locked(pathlib.Path(sys.argv[1])):
    print(1, flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("removed", [False, True])
def test_one_holder_at_a_time(tmp_path: Path, removed: bool) -> None:
    place, inside, most = tmp_path / "locks" / "one", [0], [0]

    def work() -> None:
        for _ in range(30):
            with locked(place, removed=removed):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                inside[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (most, inside) == ([1], [0])
    assert place.exists() is not removed


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    place = tmp_path / "one"
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(place)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == b"1\n"
        taken = threading.Event()

        def take() -> None:
            with locked(place):
                taken.set()

        thread = threading.Thread(target=take)
        thread.start()
        assert not taken.wait(0.2)
        holder.kill()
        thread.join(60)
    assert taken.is_set()


def test_a_write_leaves_the_old_file_or_the_new_one_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    write_atomically(path, b"old")
    aside = write_aside(path, b"new")
    assert path.read_bytes() == b"old" and aside.parent == tmp_path
    aside.replace(path)
    assert [found.name for found in tmp_path.iterdir()] == ["f.json"] and path.read_bytes() == b"new"
    assert (
        sha256_of(path) == "11507a0e2f5e69d5dfa40a62a1bd7b6ee57e6bcd85c67c9b8431b36fff21c437"
    )  # printf new | sha256sum
    with pytest.raises(FileNotFoundError):
        write_atomically(tmp_path / "absent" / "f", b"x")
