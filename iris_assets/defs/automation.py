"""Whether schedules, sensors and conditions act as soon as the code location is there (the setting AUTOMATION), and by which clock."""

from typing import Final

import dagster as dg

from iris_assets.settings import load_settings

TIME_ZONE: Final = "America/Sao_Paulo"


def schedule_status() -> dg.DefaultScheduleStatus:
    """RUNNING with AUTOMATION on, else STOPPED: somebody starts it in the Dagster UI."""
    return dg.DefaultScheduleStatus.RUNNING if load_settings().automation else dg.DefaultScheduleStatus.STOPPED


def sensor_status() -> dg.DefaultSensorStatus:
    """As `schedule_status`, for a sensor."""
    return dg.DefaultSensorStatus.RUNNING if load_settings().automation else dg.DefaultSensorStatus.STOPPED


# A stage that was materialised by itself (a correction of one UF, a backfill of one asset) takes the next ones along. The
# daily refresh is not doubled: what its own run materialises is newer than its parents. Blocking checks are left out,
# because Dagster knows them by asset: one damaged UF would hold all others. The evaluation follows by its sensor, which
# also sees changed questions and a corpus that stayed as it was.
AFTER_PARENTS: Final = dg.AutomationCondition.eager()

after_parents = dg.AutomationConditionSensorDefinition(
    "after_parents",
    target=dg.AssetSelection.assets("chunks", "embeddings"),
    default_status=sensor_status(),
    minimum_interval_seconds=30,
    description="Chunks and embeddings of a UF follow when what they read was materialised by itself.",
)
