"""A generated national candidates archive: read, validated and filtered; by 28 partitions; stored by the stage.

Run: python benchmarks/bench_candidates.py [--rows 460000] [--stage-rows 100000]

460,000 rows of 50 columns are about 250 MB. The stage stores an archive of its own in which one UF has nearly all rows,
because the memory of the stage is that of the largest UF.
"""

import argparse
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from iris_assets.ingest.candidates import ingest_candidates
from iris_assets.platform import open_platform
from iris_assets.sample.tse_files import COLUMNS, candidate_line
from iris_assets.settings import load_settings
from iris_assets.sources.archive import Archive
from iris_assets.sources.archives import open_member
from iris_assets.sources.candidate_rows import RowMaker
from iris_assets.sources.candidate_values import Filters
from iris_assets.sources.candidates import CandidateReading, Member, read_candidates, with_header
from iris_assets.ufs import PARTITIONS, UF_NAMES

OFFICES = ((11, "PREFEITO"), (12, "VICE-PREFEITO")) + ((13, "VEREADOR"),) * 18
MEMBER = "consulta_cand_2026_BRASIL.csv"
LARGEST = "SP"
LARGEST_SHARE = 0.2  # São Paulo had some 92,000 of 464,000 candidates in 2024
STAGE_SHARE = 0.92
ROUNDS = 3


def rows(count: int, share: float = LARGEST_SHARE) -> Iterator[str]:
    """`count` lines of 50 columns (about 540 bytes each) over 26 UFs, personal columns filled with invented values."""
    ufs = [uf for uf in UF_NAMES if uf not in ("DF", "BR", LARGEST)]
    largest = int(count * share)
    base = dict.fromkeys(COLUMNS, "#NULO") | {
        "DT_GERACAO": "05/10/2026",
        "ANO_ELEICAO": "2026",
        "CD_TIPO_ELEICAO": "2",
        "NM_TIPO_ELEICAO": "ELEIÇÃO ORDINÁRIA",
        "NR_TURNO": "1",
        "CD_ELEICAO": "9999",
        "DS_ELEICAO": "Eleições Municipais Fictícias",
        "DT_ELEICAO": "04/10/2026",
        "TP_ABRANGENCIA": "MUNICIPAL",
        "NR_CPF_CANDIDATO": "00000000000",
        "DS_EMAIL": "NINGUEM@EXAMPLE.ORG",
        "DS_SITUACAO_CANDIDATURA": "#NE",
        "NM_COLIGACAO": "COLIGAÇÃO DE AMOSTRA PARA MEDIR",
        "DS_OCUPACAO": "OUTROS",
        "DS_COMPOSICAO_COLIGACAO": "PAZUL / PVAGA / PARVORE",
        "NM_PARTIDO": "PARTIDO AZUL DA AMOSTRA",
        "DS_GRAU_INSTRUCAO": "ENSINO MÉDIO COMPLETO",
        "DS_ESTADO_CIVIL": "SOLTEIRO(A)",
        "DS_COR_RACA": "PARDA",
    }
    for number in range(count):
        uf = LARGEST if number < largest else ufs[(number - largest) * len(ufs) // (count - largest)]
        code, office = OFFICES[number % len(OFFICES)]
        party = 91 + number % 5
        yield candidate_line(
            base
            | {
                "SG_UF": uf,
                "SG_UE": f"{number % 5570:05d}",
                "NM_UE": f"CIDADE FICTÍCIA {number % 5570}",
                "CD_CARGO": str(code),
                "DS_CARGO": office,
                "SQ_CANDIDATO": str(250_000_000_000 + number),
                "NR_CANDIDATO": str(party * 1000 + number % 999),
                "NM_CANDIDATO": f"PESSOA INVENTADA NÚMERO {number}",
                "NM_URNA_CANDIDATO": f"INVENTADA {number}",
                "NR_PARTIDO": str(party),
                "SG_PARTIDO": f"P{party}",
                "DS_SIT_TOT_TURNO": ("ELEITO", "NÃO ELEITO", "SUPLENTE")[number % 3],
            }
        )


def write_archive(path: Path, count: int, share: float = LARGEST_SHARE, *, changed: bool = False) -> int:
    """The archive with its national member only; how many bytes that has unpacked. `changed`: one ballot name."""
    header = ";".join(f'"{name}"' for name in COLUMNS)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with archive.open(MEMBER, "w") as member:
            member.write(f"{header}\r\n".encode("latin-1"))
            for number, line in enumerate(rows(count, share)):
                shown = line.replace('"INVENTADA 7"', '"OUTRO NOME"') if changed and number == 7 else line
                member.write(f"{shown}\r\n".encode("latin-1"))
        return archive.getinfo(MEMBER).file_size


def one_pass(path: Path) -> tuple[int, int]:
    """(rows read, rows kept): every office of every UF is kept, so nothing is cheap by filtering."""
    maker = partial(RowMaker, Filters(election_year=2026), source_url="u", collected_at=datetime.now(UTC))
    read = kept = 0
    for batch in CandidateReading([Member(MEMBER, lambda: with_header(open_member(path, MEMBER)))], maker):
        read += batch.rows_read
        kept += len(batch.rows)
    return read, kept


def bare_reader(path: Path) -> int:
    """The peer: Python's own CSV reader over the same member, its rows thrown away."""
    with zipfile.ZipFile(path) as archive, archive.open(MEMBER) as member:
        text = io.TextIOWrapper(member, encoding="latin-1", newline="")
        return sum(1 for _ in csv.reader(text, delimiter=";"))


def partitions(path: Path) -> int:
    """Rows kept by 28 partitions that each want their UF of the national member, the cutting included."""
    archive = Archive(path, "0" * 64, "u", "", "candidates", False, datetime.now(UTC))
    with tempfile.TemporaryDirectory() as folder:
        readings = (
            read_candidates(archive, uf, election_year=2026, offices=(), splits=Path(folder) / "splits")
            for uf in PARTITIONS
        )
        return sum(len(batch.rows) for reading in readings for batch in reading)


def cpu_seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Processor seconds of the best of a few rounds."""
    best = float("inf")
    for _ in range(rounds):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def peak_mb() -> float:
    """Of this process alone: the peak of `getrusage` begins with that of the process that started this one."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024


def child(what: str, folder: Path, *options: str) -> dict[str, float]:
    """This script run in a process of its own, whose peak memory is that work's."""
    done = subprocess.run(
        [sys.executable, __file__, "--child", what, "--folder", str(folder), *options],
        stdout=subprocess.PIPE,
        check=True,
    )
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def run_child(what: str, folder: Path) -> None:
    started = time.process_time()
    figures: dict[str, float] = {}
    if what == "read":
        read, _ = one_pass(folder / "replay" / "tse" / "files" / "consulta_cand_2026.zip")
        figures["rows"] = read
    else:
        figures = stage(folder, full_refresh=what == "refresh")
    figures |= {"cpu": time.process_time() - started, "peak": peak_mb()}
    print(json.dumps(figures))


def stage(folder: Path, *, full_refresh: bool) -> dict[str, float]:
    """The stage for all partitions, without Dagster."""
    settings = load_settings(
        {},
        iris_assets_data=folder,
        iris_assets_replay=folder / "replay",
        ingest_offices=("PREFEITO", "VICE-PREFEITO", "VEREADOR"),
    )
    with open_platform(settings) as platform:
        reports = [ingest_candidates(platform.ingest, uf, full_refresh=full_refresh) for uf in PARTITIONS]
    assert {report.status for report in reports} == {"SUCCESS"}
    names = ("created", "updated", "skipped")
    figures: dict[str, float] = {name: sum(report.counters[name] for report in reports) for name in names}
    return figures | {"rows": sum(report.work["rows_read"] for report in reports)}


def write_world(folder: Path) -> Path:
    """A replay folder with nothing but the catalogue; where its candidates archive goes."""
    tse = folder / "replay" / "tse"
    for part in (tse / "files", tse / "package_show", folder / "replay" / "camara"):
        part.mkdir(parents=True)
    (folder / "replay" / "camara" / "deputados.json").write_text("[]")
    url = "https://cdn.tse.jus.br/estatistica/sead/odsele/consulta_cand/consulta_cand_2026.zip"
    resource = {"id": "1", "name": "Candidatos", "format": "CSV", "state": "active", "url": url}
    answer = {"success": True, "result": {"name": "candidatos-2026", "resources": [resource]}}
    (tse / "package_show" / "candidatos-2026.json").write_text(json.dumps(answer))
    return tse / "files" / "consulta_cand_2026.zip"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=460_000)
    parser.add_argument("--stage-rows", type=int, default=100_000)
    parser.add_argument("--child", choices=("read", "stage", "refresh"))
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    if arguments.child:
        run_child(arguments.child, arguments.folder)
        return
    with tempfile.TemporaryDirectory() as name:
        measure_reading(Path(name), arguments.rows)
    with tempfile.TemporaryDirectory() as name:
        measure_stage(Path(name), arguments.stage_rows)


def measure_reading(folder: Path, count: int) -> None:
    archive = write_world(folder)
    size = write_archive(archive, count)
    print(f"{count} rows, {size / 1e6:.0f} MB, load average {os.getloadavg()[0]:.1f}")
    bare = cpu_seconds(lambda: bare_reader(archive))
    ours = cpu_seconds(lambda: one_pass(archive))
    print("| what | CPU seconds | rows per CPU second | peak MB |")
    print("|---|---|---|---|")
    print(f"| bare csv.reader, rows thrown away (peer) | {bare:.2f} | {count / bare:,.0f} | |")
    peak = child("read", folder)["peak"]
    print(f"| read + validate + filter, all kept | {ours:.2f} | {count / ours:,.0f} | {peak:.0f} |", flush=True)
    spread = cpu_seconds(lambda: partitions(archive), 1)
    print(f"| 28 partitions of the national file: {spread / ours:.2f} × one pass | {spread:.2f} | | |", flush=True)


def measure_stage(folder: Path, count: int) -> None:
    archive = write_world(folder)
    write_archive(archive, count, STAGE_SHARE)
    print(f"stage: {count} rows, {STAGE_SHARE:.0%} of them of {LARGEST}, load average {os.getloadavg()[0]:.1f}")
    steps = (("first run", "stage"), ("unchanged archive", "stage"), ("unchanged, full refresh", "refresh"))
    for label, what in steps:
        _show(label, child(what, folder))
    write_archive(archive, count, STAGE_SHARE, changed=True)
    _show("one row changed", child("stage", folder))


def _show(label: str, figures: dict[str, float]) -> None:
    done = ", ".join(f"{figures[name]:.0f} {name}" for name in ("created", "updated", "skipped"))
    rows_done = figures["created"] + figures["updated"] + figures["skipped"] if figures["rows"] else 0
    rate = f"{figures['rows'] / len(PARTITIONS) / figures['cpu']:,.0f}" if rows_done else ""
    print(
        f"| stage, 28 partitions, {label}: {done} | {figures['cpu']:.2f} | {rate} | {figures['peak']:.0f} |", flush=True
    )


if __name__ == "__main__":
    main()
