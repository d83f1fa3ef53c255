"""The national member cut once per UF: every partition reads what it would have read from the whole file."""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from iris_assets.errors import SourceContractError
from iris_assets.sources.archive import Archive
from iris_assets.sources.candidate_split import REST, split_national
from iris_assets.sources.candidates import read_candidates
from iris_assets.ufs import PARTITIONS
from iris_assets_tests.sources.test_candidates import OFFICES, archive_of, line

MEMBER = "consulta_cand_2026_BRASIL.csv"


def national(tmp_path: Path) -> Archive:
    """Every kind of row there is, over all UFs: other years, offices, rounds, damage, units that are no partition."""
    chance = random.Random(7)
    lines = []
    for _ in range(1500):
        changes = {
            "SQ_CANDIDATO": str(250_000_000_000 + chance.randrange(1400)),
            "SG_UF": chance.choice([*PARTITIONS, "ZZ", "VT", "XX", "#NULO#", "sp"]),
            "ANO_ELEICAO": chance.choice(["2026"] * 8 + ["2022", "#NE", "DOIS MIL"]),
            "NM_URNA_CANDIDATO": chance.choice(["FULANA", 'ZÉ "DO; POVO"', "DUAS\r\nLINHAS", "#NULO"]),
            "CD_TIPO_ELEICAO": chance.choice(["2", "2", "2", "1"]),
            "NR_TURNO": chance.choice(["1", "2"]),
        }
        if chance.random() < 0.2:
            changes |= {"CD_CARGO": "3", "DS_CARGO": "GOVERNADOR"}
        if chance.random() < 0.05:
            changes |= {"NR_PARTIDO": "MASCULINO"}
        row = line(**changes)
        lines.append(row + ';"one too many"' if chance.random() < 0.01 else row)
    return archive_of(tmp_path, {"BRASIL": lines})


def everything(archive: Archive, uf: str, splits: Path | None) -> tuple[Any, ...]:
    reading = read_candidates(archive, uf, election_year=2026, offices=OFFICES, splits=splits)
    rows: list[dict[str, Any]] = []
    bad: list[tuple[int, str]] = []
    skipped: Counter[str] = Counter()
    for batch in reading:
        rows += batch.rows
        bad += [(row.line, row.reason) for row in batch.bad_rows]
        skipped += batch.skipped
    return sorted(rows, key=lambda row: str(row["tse_id"])), sorted(bad), skipped, reading.rows_read


def test_every_partition_reads_the_same_from_its_part(tmp_path: Path) -> None:
    archive = national(tmp_path)
    for uf in PARTITIONS:
        direct = everything(archive, uf, None)
        assert everything(archive, uf, tmp_path / "splits") == direct
        assert direct[3] == 1500
    assert sum(len(everything(archive, uf, tmp_path / "splits")[0]) for uf in PARTITIONS) > 400


def test_one_pass_serves_all_partitions_and_holds_nothing_personal(tmp_path: Path) -> None:
    archive = national(tmp_path)
    splits = tmp_path / "splits"
    everything(archive, "SP", splits)
    (folder,) = splits.iterdir()
    made = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    for uf in PARTITIONS:
        everything(archive, uf, splits)
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == made
    assert {f"{unit}.csv" for unit in (*PARTITIONS, REST)} | {"index.json"} == set(made)
    held = b"".join(path.read_bytes() for path in folder.iterdir())
    for secret in (b"12345678909", b"fulana@example.org", b"01/02/1970", b"001234567890"):
        assert secret not in held


def test_a_damaged_part_is_made_again_and_old_splits_go(tmp_path: Path) -> None:
    archive = national(tmp_path)
    splits = tmp_path / "splits"
    whole = everything(archive, "SP", splits)
    (folder,) = splits.iterdir()
    (folder / "SP.csv").write_bytes((folder / "SP.csv").read_bytes()[:100])
    assert everything(archive, "SP", splits) == whole
    (folder / "index.json").write_text("{")
    assert everything(archive, "SP", splits) == whole
    for number in range(5):
        split_national(archive.path, f"{number:064d}", MEMBER, splits)
    assert len(list(splits.iterdir())) == 3


def test_a_file_of_garbage_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    archive = archive_of(tmp_path, {"BRASIL": [line() + ";x"] * 40})
    with pytest.raises(SourceContractError, match="CSV_MOST_ROWS_INVALID"):
        everything(archive, "SP", tmp_path / "splits")
    assert list((tmp_path / "splits").iterdir()) == []


def test_a_file_with_an_unclosed_quote_is_refused_before_any_partition_reads_it(tmp_path: Path) -> None:
    lines = [line(), line(SG_UF="RJ").replace('"FULANA"', '"FULANA'), line(SG_UF="PI")]
    with pytest.raises(SourceContractError, match="CSV_QUOTE_UNCLOSED: line 3:"):
        everything(archive_of(tmp_path, {"BRASIL": lines}), "PI", tmp_path / "splits")
    assert list((tmp_path / "splits").iterdir()) == []


def test_shifted_rows_of_no_known_uf_do_not_refuse_a_whole_country(tmp_path: Path) -> None:
    """Forty damaged rows among two hundred sound ones are forty bad rows, for a partition without rows of its own too."""
    shifted = [line(SG_UF="MASCULINO", NR_PARTIDO="PAZUL") for _ in range(40)]
    archive = archive_of(tmp_path, {"BRASIL": shifted + [line(SQ_CANDIDATO=str(10**11 + n)) for n in range(200)]})
    for uf in ("SP", "AC"):
        rows, bad, skipped, read = everything(archive, uf, tmp_path / "splits")
        assert (len(rows), len(bad), read) == (200 if uf == "SP" else 0, 40, 240)
        assert skipped == ({} if uf == "SP" else {"uf": 200})


def test_the_index_tells_rows_by_unit_and_year(tmp_path: Path) -> None:
    rows = [line(), line(SG_UF="RJ"), line(SG_UF="RJ", ANO_ELEICAO="2022"), line(SG_UF="ZZ")]
    archive = archive_of(tmp_path, {"BRASIL": rows})
    split = split_national(archive.path, "0" * 64, MEMBER, tmp_path / "splits")
    index = json.loads((split.folder / "index.json").read_text())
    assert {unit: figures["years"] for unit, figures in index["units"].items()} == {
        "SP": {"2026": 1},
        "RJ": {"2026": 1, "2022": 1},
        "rest": {"2026": 1},
    }
    assert split.elsewhere("SP", 2026) == {"uf": 1, "year": 1}
