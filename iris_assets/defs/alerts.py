"""Alerts: a failed run goes to the log and, where configured, to a webhook or an e-mail address."""

import json
import smtplib
import ssl
import urllib.request
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from functools import partial
from typing import Final

import dagster as dg
from dagster_shared.error import SerializableErrorInfo

from iris_assets.defs.automation import sensor_status
from iris_assets.errors import IrisAssetsError
from iris_assets.settings import read_environment

TIMEOUT_SECONDS: Final = 10
ATTEMPTS: Final = 2
LONGEST_ERROR: Final = 2000
PORTS: Final = {"none": 25, "starttls": 587, "tls": 465}  # by ALERT_SMTP_SECURITY, where ALERT_SMTP_HOST names none

Alert = dict[str, str]


class AlertError(IrisAssetsError):
    """A configured target did not take an alert: ALERT_NOT_SENT, naming the variable, never its value."""


@dg.run_failure_sensor(
    monitor_all_code_locations=False,
    default_status=sensor_status(),
    description="Log, webhook (ALERT_WEBHOOK_URL) or e-mail (ALERT_EMAIL_TO, ALERT_SMTP_HOST) for each failed run.",
)
def failure_alert(context: dg.RunFailureSensorContext) -> None:
    alert = {
        "job": context.dagster_run.job_name,
        "partition": context.dagster_run.tags.get("dagster/partition", ""),
        "run_id": context.dagster_run.run_id,
        "error": _what_failed(context)[:LONGEST_ERROR],
    }
    context.log.error(f"run failed: {json.dumps(alert, ensure_ascii=False)}")
    deliver(alert)


def deliver(alert: Alert) -> None:
    """Give an alert to every configured target. Raises AlertError ALERT_NOT_SENT."""
    # Dagster evaluates a failed run once: a target that refuses is asked again here, and none holds back another.
    refused = [failed for name, send in _targets().items() if (failed := _refused(name, send, alert))]
    if refused:
        raise AlertError("ALERT_NOT_SENT", "; ".join(refused), hint="correct the variable; the failure is in the log")


def _what_failed(context: dg.RunFailureSensorContext) -> str:
    """The failed steps with their errors (a typed one begins with its code); for a crash, what Dagster says."""
    steps = []
    for event in context.get_step_failure_events():
        error, ours = event.step_failure_data.error, event.step_failure_data.user_failure_data
        text = ours.description if ours else _cause(error) if error else None
        steps.append(f"{event.step_key}: {(text or 'failed').strip()}")
    return "\n".join(steps) or context.failure_event.message or ""


def _cause(error: SerializableErrorInfo) -> str:
    """The message of the error that began it: Dagster's own says only that an op failed."""
    while error.cause:
        error = error.cause
    return error.message


def _targets() -> dict[str, Callable[[Alert], None]]:
    found: dict[str, Callable[[Alert], None]] = {}
    environment = read_environment()
    if url := environment.get("ALERT_WEBHOOK_URL"):
        found["ALERT_WEBHOOK_URL"] = partial(post_webhook, url)
    if recipient := environment.get("ALERT_EMAIL_TO"):
        found["ALERT_EMAIL_TO"] = partial(send_mail, environment, recipient)
    return found


def _refused(name: str, send: Callable[[Alert], None], alert: Alert) -> str | None:
    """Why the target took no alert in two attempts; None when it did. An address may hold a secret: not repeated."""
    reason = ""
    for _ in range(ATTEMPTS):
        try:
            send(alert)
        except (OSError, ValueError, smtplib.SMTPException) as error:
            reason = f"{name}: {type(error).__name__} {getattr(error, 'code', '')}".rstrip()
        else:
            return None
    return reason


def post_webhook(url: str, alert: Alert) -> None:
    """POST the alert as JSON; raises OSError when the endpoint refuses, ValueError for another kind of address."""
    if not url.startswith(("https://", "http://")):
        raise ValueError("ALERT_WEBHOOK_URL must be an http or https address")
    body = json.dumps(alert, ensure_ascii=False).encode("utf-8")
    request = urllib.request.Request(url, data=body, headers={"Content-Type": "application/json"}, method="POST")
    with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
        response.read()


def send_mail(environment: Mapping[str, str], recipient: str, alert: Alert) -> None:
    """Send the alert as plain text over SMTP, as the ALERT_* variables say where and how.

    Raises OSError and SMTPException of the server, ValueError for a password that would travel unencrypted.
    """
    message = EmailMessage()
    message["Subject"] = f"iris-assets: {alert['job']} {alert['partition']} failed"
    message["From"] = environment.get("ALERT_EMAIL_FROM", recipient)
    message["To"] = recipient
    message.set_content("\n".join(f"{name}: {value}" for name, value in alert.items()))
    with _mail_server(environment) as smtp:
        smtp.send_message(message)


def _mail_server(environment: Mapping[str, str]) -> smtplib.SMTP:
    """The connected mail server, logged in where ALERT_SMTP_USER names an account; its certificate is checked."""
    host, _, port = environment.get("ALERT_SMTP_HOST", "localhost").partition(":")
    user = environment.get("ALERT_SMTP_USER")
    security = environment.get("ALERT_SMTP_SECURITY", "starttls" if user else "none")
    if security not in PORTS or (user and security == "none"):
        raise ValueError("ALERT_SMTP_SECURITY must be starttls or tls, or none without ALERT_SMTP_USER")
    address, tls = (host, int(port or PORTS[security])), ssl.create_default_context()
    if security == "tls":
        smtp: smtplib.SMTP = smtplib.SMTP_SSL(*address, timeout=TIMEOUT_SECONDS, context=tls)
    else:
        smtp = smtplib.SMTP(*address, timeout=TIMEOUT_SECONDS)
    if security == "starttls":
        smtp.starttls(context=tls)
    if user:
        smtp.login(user, environment.get("ALERT_SMTP_PASSWORD", ""))
    return smtp
