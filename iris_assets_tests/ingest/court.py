"""A simulated electoral court whose archives the test writes, and a store beside it, run by run."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from iris_assets.ingest.candidates import ingest_candidates
from iris_assets.ingest.chunks import ingest_chunks
from iris_assets.ingest.context import IngestContext
from iris_assets.ingest.proposals import ingest_proposals
from iris_assets.ingest.reporting import StageReport
from iris_assets.sample.faults import Faults
from iris_assets.sample.simulator import ReplayTransport, Simulator
from iris_assets.sample.tse_files import COLUMNS, zip_bytes
from iris_assets.settings import load_settings
from iris_assets.sources.http import HttpClient
from iris_assets.store import Store, open_store

CDN = "https://cdn.tse.jus.br/estatistica/sead/odsele"
CANDIDATES_PATH = "/estatistica/sead/odsele/consulta_cand/consulta_cand_2026.zip"
PLANS_PATH = "/estatistica/sead/odsele/proposta_governo/proposta_governo_2026_{}.zip"


def csv_bytes(lines: Sequence[str], columns: Sequence[str] = COLUMNS) -> bytes:
    header = ";".join(f'"{name}"' for name in columns)
    return ("\r\n".join([header, *lines]) + "\r\n").encode("latin-1")


class Court:
    """`publish` and `publish_plans` replace an archive; each `run` is a process of its own as far as caches go."""

    def __init__(self, folder: Path, year: int = 2026) -> None:
        self.folder = folder
        self.year = year
        self.files = folder / "replay" / "tse" / "files"
        self.faults = Faults()
        self.requests: list[str] = []
        self._plans: set[str] = set()
        (folder / "replay" / "camara").mkdir(parents=True)
        (folder / "replay" / "camara" / "deputados.json").write_text("[]")
        self.files.mkdir(parents=True)
        self.store: Store = open_store(f"sqlite:///{folder / 'store.sqlite3'}")
        self._write_catalogue()

    def publish(self, members: Mapping[str, Sequence[str]]) -> None:
        """The candidates archive: CSV lines by unit."""
        data = {f"consulta_cand_{self.year}_{unit}.csv": csv_bytes(lines) for unit, lines in members.items()}
        self.publish_bytes(zip_bytes(data))

    def publish_bytes(self, archive: bytes, name: str = "") -> None:
        path = self.files / (name or f"consulta_cand_{self.year}.zip")
        path.write_bytes(archive)
        # Two archives of one second must not share a Last-Modified.
        stamp = 1_790_000_000 + sum(archive) % 1_000_000
        os.utime(path, (stamp, stamp))

    def publish_plans(self, uf: str, members: Mapping[str, bytes]) -> None:
        self.publish_bytes(zip_bytes(dict(members)), f"proposta_governo_{self.year}_{uf}.zip")
        self._plans.add(uf)
        self._write_catalogue()

    def candidates(self, *ufs: str, **settings: Any) -> dict[str, StageReport]:
        return self._run(ingest_candidates, ufs, settings)

    def proposals(self, *ufs: str, **settings: Any) -> dict[str, StageReport]:
        return self._run(ingest_proposals, ufs, settings)

    def chunks(self, *ufs: str, **settings: Any) -> dict[str, StageReport]:
        return self._run(ingest_chunks, ufs, settings)

    def context(self, **settings: Any) -> IngestContext:
        """A context of its own; close its `http` when done."""
        values = {
            "iris_assets_data": self.folder,
            "ingest_election_year": self.year,
            "iris_assets_replay": self.folder / "replay",
            "ocr": "off",
            **settings,
        }
        configured = load_settings({}, **values)
        transport = ReplayTransport(Simulator(self.folder / "replay", self.faults))
        http = HttpClient(configured, transport, sleep=lambda _: None)
        return IngestContext(store=self.store, settings=configured, http=http)

    def _run(self, stage: Any, ufs: Sequence[str], settings: dict[str, Any]) -> dict[str, StageReport]:
        full_refresh = settings.pop("full_refresh", False)
        context = self.context(**settings)
        with context.http:
            return {uf: stage(context, uf, full_refresh=full_refresh) for uf in ufs}

    def _write_catalogue(self) -> None:
        dataset = f"candidatos-{self.year}"
        resources = [_resource("candidates", "Candidatos", "CSV", f"consulta_cand/consulta_cand_{self.year}.zip")]
        for uf in sorted(self._plans):
            place = f"proposta_governo/proposta_governo_{self.year}_{uf}.zip"
            resources.append(_resource(uf, f"{uf} - Proposta de governo", "PDF", place))
        folder = self.folder / "replay" / "tse" / "package_show"
        folder.mkdir(exist_ok=True)
        answer = {"success": True, "result": {"name": dataset, "resources": resources}}
        (folder / f"{dataset}.json").write_text(json.dumps(answer))


def _resource(key: str, name: str, form: str, place: str) -> dict[str, str]:
    return {"id": key, "name": name, "format": form, "state": "active", "url": f"{CDN}/{place}"}
