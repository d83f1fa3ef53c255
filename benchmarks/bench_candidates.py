"""Reading, validating and filtering a generated national candidates archive: rows per CPU second and peak memory."""

import argparse
import resource
import tempfile
import time
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from iris_assets.sample.tse_files import COLUMNS, candidate_line
from iris_assets.sources.archive import Archive
from iris_assets.sources.archives import open_member
from iris_assets.sources.candidate_rows import Filters, RowMaker
from iris_assets.sources.candidates import CandidateReading, Part
from iris_assets.ufs import UF_NAMES

OFFICES = ((11, "PREFEITO"), (12, "VICE-PREFEITO")) + ((13, "VEREADOR"),) * 18


def rows(count: int) -> Iterator[str]:
    """`count` lines of 50 columns (about 540 bytes each) over 26 UFs, personal columns filled with invented values."""
    ufs = [uf for uf in UF_NAMES if uf not in ("DF", "BR")]
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
        uf = ufs[number * len(ufs) // count]
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
            }
        )


def write_archive(path: Path, count: int) -> None:
    header = ";".join(f'"{name}"' for name in COLUMNS)
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("consulta_cand_2026_BRASIL.csv", "w") as member,
    ):
        member.write(f"{header}\r\n".encode("latin-1"))
        for line in rows(count):
            member.write(f"{line}\r\n".encode("latin-1"))


def measure(archive: Archive) -> tuple[int, int, float]:
    """(rows read, rows kept, CPU seconds): every office of every UF is kept, so nothing is cheap by filtering."""
    started = time.process_time()
    maker = RowMaker(Filters(election_year=2026), source_url="u", collected_at=archive.collected_at)
    read = kept = 0
    for batch in CandidateReading([Part(open_member(archive.path, "consulta_cand_2026_BRASIL.csv"))], maker, "BRASIL"):
        read += batch.rows_read
        kept += len(batch.rows)
    return read, kept, time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=460_000)
    count = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "consulta_cand_2026.zip"
        write_archive(path, count)
        archive = Archive(path, "", "u", "", "candidates", False, datetime.now(UTC))
        read, kept, seconds = measure(archive)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"rows read {read}, kept {kept}, CPU {seconds:.2f} s, {read / seconds:,.0f} rows/s, peak memory {peak:.0f} MB"
    )


if __name__ == "__main__":
    main()
