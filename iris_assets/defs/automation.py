"""Whether schedules and sensors run as soon as the code location is there: the setting AUTOMATION."""

import dagster as dg

from iris_assets.settings import load_settings


def schedule_status() -> dg.DefaultScheduleStatus:
    """RUNNING with AUTOMATION on, else STOPPED: somebody starts it in the Dagster UI."""
    return dg.DefaultScheduleStatus.RUNNING if load_settings().automation else dg.DefaultScheduleStatus.STOPPED


def sensor_status() -> dg.DefaultSensorStatus:
    """As `schedule_status`, for a sensor."""
    return dg.DefaultSensorStatus.RUNNING if load_settings().automation else dg.DefaultSensorStatus.STOPPED
