"""A failed run reaches the log, a webhook and a mailbox: Dagster's own sensor machinery, servers on the loopback."""

import email
import json
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar

import dagster as dg
import pytest

from iris_assets.defs.alerts import failure_alert, send_mail
from iris_assets.errors import IrisAssetsError

CODE = "CSV_COLUMN_MISSING"


@pytest.fixture(autouse=True)
def _no_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ALERT_WEBHOOK_URL", "ALERT_EMAIL_TO", "ALERT_EMAIL_FROM", "ALERT_SMTP_HOST", "ALERT_SMTP_USER"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def context() -> Iterator[dg.RunFailureSensorContext]:
    """What the sensor gets for a run of AC that failed with a typed error."""

    @dg.op
    def candidates() -> None:
        raise dg.Failure(f"AC: {CODE}: NM_CANDIDATO")

    @dg.job
    def refresh() -> None:
        candidates()

    with dg.DagsterInstance.ephemeral() as instance:
        result = refresh.execute_in_process(instance=instance, raise_on_error=False, tags={"dagster/partition": "AC"})
        yield dg.build_run_status_sensor_context(
            sensor_name="failure_alert",
            dagster_event=result.get_run_failure_event(),
            dagster_instance=instance,
            dagster_run=result.dagster_run,
        ).for_run_failure()


class _Webhook(BaseHTTPRequestHandler):
    answers: list[int]
    bodies: list[dict[str, Any]]

    def do_POST(self) -> None:
        self.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(self.answers.pop(0) if self.answers else 204)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        return None


@contextmanager
def _webhook(*answers: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    handler = type("Handler", (_Webhook,), {"answers": list(answers), "bodies": []})
    with _serving(HTTPServer(("127.0.0.1", 0), handler)) as port:
        yield f"http://127.0.0.1:{port}/alert?token=secret", handler.bodies  # type: ignore[attr-defined]


class _Mailbox(socketserver.StreamRequestHandler):
    """The few words of SMTP that a message needs."""

    letters: list[str]

    def handle(self) -> None:
        self._say("220 loopback")
        while line := self.rfile.readline():
            word = line.split()[0].upper()
            if word == b"DATA":
                self._say("354 go on")
                self.letters.append(b"".join(iter(self.rfile.readline, b".\r\n")).decode())
            self._say("221 bye" if word == b"QUIT" else "250 fine")

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


@contextmanager
def _mailbox() -> Iterator[tuple[str, list[str]]]:
    handler = type("Handler", (_Mailbox,), {"letters": []})
    with _serving(socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler)) as port:
        yield f"127.0.0.1:{port}", handler.letters  # type: ignore[attr-defined]


@contextmanager
def _serving(server: socketserver.TCPServer) -> Iterator[int]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_without_a_target_the_failure_is_logged(
    context: dg.RunFailureSensorContext, capsys: pytest.CaptureFixture[str]
) -> None:
    failure_alert(context)
    logged = capsys.readouterr().err
    assert "run failed" in logged and '"partition": "AC"' in logged and CODE in logged


def test_a_webhook_gets_job_partition_run_and_code(
    context: dg.RunFailureSensorContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _webhook() as (url, bodies):
        monkeypatch.setenv("ALERT_WEBHOOK_URL", url)
        failure_alert(context)
    (body,) = bodies
    assert (body["job"], body["partition"], body["run_id"]) == ("refresh", "AC", context.dagster_run.run_id)
    assert CODE in body["error"]


def test_a_mailbox_gets_the_same(context: dg.RunFailureSensorContext, monkeypatch: pytest.MonkeyPatch) -> None:
    with _mailbox() as (host, letters):
        monkeypatch.setenv("ALERT_EMAIL_TO", "plantao@example.org")
        monkeypatch.setenv("ALERT_SMTP_HOST", host)
        failure_alert(context)
    (letter,) = letters
    message = email.message_from_string(letter)
    assert message["Subject"] == "iris-assets: refresh AC failed" and message["To"] == "plantao@example.org"
    text = message.get_payload(decode=True)
    assert isinstance(text, bytes) and f"error: candidates: AC: {CODE}: NM_CANDIDATO" in text.decode()
    assert context.dagster_run.run_id in text.decode()


def test_targets_of_the_env_file_are_served_and_an_empty_sender_is_the_recipient(
    context: dg.RunFailureSensorContext, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As a compose file gives them: what nobody set is there, and empty."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ALERT_EMAIL_FROM", "")
    monkeypatch.setenv("ALERT_WEBHOOK_URL", "")
    with _mailbox() as (host, letters):
        (tmp_path / ".env").write_text(f"ALERT_EMAIL_TO=plantao@example.org\nALERT_SMTP_HOST={host}\n")
        failure_alert(context)
    (letter,) = letters
    assert email.message_from_string(letter)["From"] == "plantao@example.org"


def test_a_webhook_that_refuses_once_is_asked_again(
    context: dg.RunFailureSensorContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _webhook(503) as (url, bodies):
        monkeypatch.setenv("ALERT_WEBHOOK_URL", url)
        failure_alert(context)
    assert len(bodies) == 2


def test_a_dead_webhook_does_not_hold_back_the_mail_and_is_reported_without_its_address(
    context: dg.RunFailureSensorContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _webhook(500, 500, 500) as (url, bodies), _mailbox() as (host, letters):
        monkeypatch.setenv("ALERT_WEBHOOK_URL", url)
        monkeypatch.setenv("ALERT_EMAIL_TO", "plantao@example.org")
        monkeypatch.setenv("ALERT_SMTP_HOST", host)
        with pytest.raises(IrisAssetsError) as failed:
            failure_alert(context)
    assert len(bodies) == 2 and len(letters) == 1
    assert failed.value.code == "ALERT_NOT_SENT"
    assert "ALERT_WEBHOOK_URL" in str(failed.value) and "secret" not in str(failed.value)


class _Post:
    """What is asked of a mail server, in order; it answers nothing."""

    asked: ClassVar[list[str]] = []

    def __init__(self, host: str, port: int, *, timeout: float, context: ssl.SSLContext | None = None) -> None:
        assert context is None or (context.check_hostname and context.verify_mode == ssl.CERT_REQUIRED)
        self.asked[:] = [f"{type(self).__name__} {host}:{port}"]

    def __enter__(self) -> "_Post":
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def starttls(self, *, context: ssl.SSLContext) -> None:
        assert context.check_hostname
        self.asked.append("starttls")

    def login(self, user: str, password: str) -> None:
        self.asked.append(f"login {user} {password}")

    def send_message(self, message: Any) -> None:
        self.asked.append(f"to {message['To']}")


class _SafePost(_Post):
    """The same, encrypted from the first byte."""


@pytest.mark.parametrize(
    ("more", "asked"),
    [
        ({}, ["_Post mail.example.org:25", "to a@example.org"]),
        ({"USER": "u", "PASSWORD": "p"}, ["_Post mail.example.org:587", "starttls", "login u p", "to a@example.org"]),
        ({"USER": "u", "PASSWORD": "p", "SECURITY": "tls"}, ["_SafePost mail.example.org:465", "login u p", "to a@example.org"]),
        ({"SECURITY": "starttls"}, ["_Post mail.example.org:587", "starttls", "to a@example.org"]),
    ],
)  # fmt: skip
def test_a_mail_server_is_asked_for_encryption_before_it_gets_a_password(
    monkeypatch: pytest.MonkeyPatch, more: dict[str, str], asked: list[str]
) -> None:
    monkeypatch.setattr("smtplib.SMTP", _Post)
    monkeypatch.setattr("smtplib.SMTP_SSL", _SafePost)
    environment = {
        "ALERT_SMTP_HOST": "mail.example.org",
        **{f"ALERT_SMTP_{name}": value for name, value in more.items()},
    }
    send_mail(environment, "a@example.org", {"job": "refresh", "partition": "AC"})
    assert _Post.asked == asked


@pytest.mark.parametrize("security", ["none", "ssl3"])
def test_a_password_never_travels_unencrypted(monkeypatch: pytest.MonkeyPatch, security: str) -> None:
    monkeypatch.setattr("smtplib.SMTP", _Post)
    _Post.asked.clear()
    environment = {"ALERT_SMTP_USER": "u", "ALERT_SMTP_PASSWORD": "p", "ALERT_SMTP_SECURITY": security}
    with pytest.raises(ValueError, match="ALERT_SMTP_SECURITY"):
        send_mail(environment, "a@example.org", {"job": "refresh", "partition": "AC"})
    assert _Post.asked == []


def test_an_address_that_is_no_web_address_is_refused(
    context: dg.RunFailureSensorContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALERT_WEBHOOK_URL", "file:///etc/hostname")
    with pytest.raises(IrisAssetsError) as failed:
        failure_alert(context)
    assert failed.value.code == "ALERT_NOT_SENT"
