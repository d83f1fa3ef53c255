"""What a driver's message means: by its code, by words only where no text of a row can stand in it."""

import pytest

from iris_assets.errors import StoreError
from iris_assets.store.iris.errors import is_licence_limit, is_lost_link, meaning, sqlcode
from iris_assets_tests.store.conftest import add_candidate, recorded_store
from iris_assets_tests.store.recorder import OperationalError, Recorder

UNIQUE = "UNIQUE or PRIMARY KEY constraint failed uniqueness check upon INSERT"
REFUSED = "[SQLCODE: <-104>:<Field validation failed in INSERT>] [%msg: <Field 'S.T.Content' (value '{}') failed>]"


@pytest.mark.parametrize(
    ("message", "code", "expected"),
    [
        (f"[SQLCODE: <-119>:<{UNIQUE}>]", -119, "STORE_CONSTRAINT"),
        ("[SQLCODE: <-114>:<One or more matching rows is locked by another user>]", -114, "STORE_BUSY"),
        ("[SQLCODE: <-110>:<Locking conflict in filing>] [%msg: <Lock timed out>]", -110, "STORE_BUSY"),
        ("[SQLCODE: <-104>:<Field validation failed in INSERT>]", -104, "STORE_CONSTRAINT"),
        ("<COMMUNICATION LINK ERROR> Failed to connect to server; Details: Error code: -1", None, "STORE_UNREACHABLE"),
        ("Failed to receive message; Error code: 110 Error message: Communication timed out", None, "STORE_TIMEOUT"),
        ("<COMMUNICATION ERROR> Invalid Message received", None, "STORE_LINK_LOST"),
        ("[Errno 104] Connection reset by peer", None, "STORE_LINK_LOST"),
        ("[SQLCODE: <-461>:<Communication link failure>]", -461, "STORE_LINK_LOST"),
        ("Access Denied", None, "STORE_ACCESS_DENIED"),
        ("[SQLCODE: <-450>] Connection refused: License limit exceeded", -450, "STORE_LICENCE"),
        ("[SQLCODE: <-400>:<Fatal error occurred>] <FILEFULL>", -400, "STORE_FULL"),
        ("[SQLCODE: <-400>:<Fatal error occurred>] <UNDEFINED>x+1", -400, "STORE_FAILED"),
        ("[SQLCODE: <-259>:<Cannot perform vector operation on vectors of different lengths>]", -259, "VECTOR_DIMENSION"),
        *((REFUSED.format(value), -104, "STORE_CONSTRAINT") for value in (
            "licence plate", "License", "mass communication", "connection is closed", "access denied", "timed out",
            "<COMMUNICATION LINK ERROR>", "a vector", "<FILEFULL>",
        )),
    ],
)  # fmt: skip
def test_messages_mean_what_they_say(message: str, code: int | None, expected: str) -> None:
    known = meaning(message)
    assert sqlcode(message) == code and known is not None and known[0] == expected
    assert is_licence_limit(message) == (expected == "STORE_LICENCE")
    assert is_lost_link(message) == (expected in {"STORE_LINK_LOST", "STORE_TIMEOUT", "STORE_UNREACHABLE"})


def test_the_text_of_a_row_means_nothing_whatever_the_code() -> None:
    for value in ("licence", "communication", "vector"):
        assert meaning(f"[SQLCODE: <-37>:<Scalar function failed>] [%msg: <value '{value}'>]") is None


def test_a_refused_value_does_not_cost_the_connection(recorder: Recorder) -> None:
    store = recorded_store(recorder)
    recorder.failures.append(("INSERT OR UPDATE", OperationalError(REFUSED.format("mass communication licence"))))
    with pytest.raises(StoreError) as refused:
        add_candidate(store, "1")
    assert (refused.value.code, refused.value.retryable) == ("STORE_CONSTRAINT", False)
    add_candidate(store, "1")
    assert [event.kind for event in recorder.events].count("connect") == 1


@pytest.mark.parametrize("step", ["INSERT OR UPDATE", "FROM IRISPolitical_Model", "COMMIT refused", "connect"])
@pytest.mark.parametrize(
    "bare",
    [RuntimeError("Connection not established"), ValueError("_handle is NULL"), ValueError("Connection required")],
    ids=str,
)
def test_the_drivers_bare_errors_about_a_gone_connection_are_typed(
    recorder: Recorder, step: str, bare: Exception
) -> None:
    """IRISConnection raises them, which are no errors of DB-API, where it has no link."""
    store = recorded_store(recorder)
    if step == "connect":
        store.close()
    recorder.failures += [(step, bare)] * (2 if step == "connect" else 1)
    with pytest.raises(StoreError) as lost:
        add_candidate(store, "1")
    assert (lost.value.code, lost.value.retryable) == ("STORE_LINK_LOST", True)
    add_candidate(store, "1")
    assert [row["tse_id"] for row in store.candidates.list()] == ["1"]


@pytest.mark.parametrize("bare", [RuntimeError("Connection not established"), ValueError("_handle is NULL")], ids=str)
def test_a_resting_link_that_is_gone_is_replaced_before_it_is_used(recorder: Recorder, bare: Exception) -> None:
    store = recorded_store(recorder)
    recorder.failures.append(("SELECT 1", bare))
    assert store.candidates.list() == []
    assert [event.kind for event in recorder.events].count("connect") == 2


def test_the_driver_still_raises_bare_errors_without_a_link() -> None:
    iris = pytest.importorskip("iris")
    for use, kind in ((lambda link: link.commit(), RuntimeError), (lambda link: link.cursor(), ValueError)):
        with pytest.raises(kind) as bare:
            use(iris.IRISConnection())
        assert is_lost_link(str(bare.value))


def test_a_link_that_timed_out_is_not_used_again(recorder: Recorder) -> None:
    """The answer may still come, and would be taken for that to the next statement."""
    store = recorded_store(recorder)
    recorder.failures.append(
        ("SELECT count(*)", OperationalError("Failed to receive message; Communication timed out"))
    )
    with pytest.raises(StoreError) as late:
        store.candidates.count()
    assert (late.value.code, late.value.retryable) == ("STORE_TIMEOUT", True)
    store.candidates.count()
    assert [event.kind for event in recorder.events].count("connect") == 2
