"""Alerts: a failed run goes to the log and, where configured, to a webhook or an e-mail address."""

import json
import os
import smtplib
import urllib.request
from email.message import EmailMessage
from typing import Final

import dagster as dg

TIMEOUT_SECONDS: Final = 10


@dg.run_failure_sensor(
    monitor_all_code_locations=False,
    default_status=dg.DefaultSensorStatus.STOPPED,
    description="Log, webhook (ALERT_WEBHOOK_URL) or e-mail (ALERT_EMAIL_TO, ALERT_SMTP_HOST) for each failed run.",
)
def failure_alert(context: dg.RunFailureSensorContext) -> None:
    alert = {
        "job": context.dagster_run.job_name,
        "partition": context.dagster_run.tags.get("dagster/partition", ""),
        "run_id": context.dagster_run.run_id,
        "error": (context.failure_event.message or "")[:2000],
    }
    context.log.error(f"run failed: {json.dumps(alert, ensure_ascii=False)}")
    if url := os.environ.get("ALERT_WEBHOOK_URL"):
        post_webhook(url, alert)
    if recipient := os.environ.get("ALERT_EMAIL_TO"):
        send_mail(os.environ.get("ALERT_SMTP_HOST", "localhost"), recipient, alert)


def post_webhook(url: str, alert: dict[str, str]) -> None:
    """POST the alert as JSON; a refusing endpoint fails the sensor tick, which Dagster shows and tries again."""
    if not url.startswith(("https://", "http://")):
        raise ValueError("ALERT_WEBHOOK_URL must be an http or https address")
    body = json.dumps(alert, ensure_ascii=False).encode("utf-8")
    request = urllib.request.Request(url, data=body, headers={"Content-Type": "application/json"}, method="POST")
    with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
        response.read()


def send_mail(host: str, recipient: str, alert: dict[str, str]) -> None:
    """Send the alert as plain text over SMTP."""
    message = EmailMessage()
    message["Subject"] = f"iris-assets: {alert['job']} {alert['partition']} failed"
    message["From"] = os.environ.get("ALERT_EMAIL_FROM", recipient)
    message["To"] = recipient
    message.set_content("\n".join(f"{name}: {value}" for name, value in alert.items()))
    server, _, port = host.partition(":")
    with smtplib.SMTP(server, int(port or 25), timeout=TIMEOUT_SECONDS) as smtp:
        smtp.send_message(message)
