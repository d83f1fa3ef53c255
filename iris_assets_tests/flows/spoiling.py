"""Spoils one UF in a copy of the sample, as the court did in some years: a required column is gone from its file."""

import zipfile
from pathlib import Path

ARCHIVE = "tse/files/consulta_cand_2026.zip"


def drop_column(replay: Path, uf: str, column: str = "NM_CANDIDATO") -> None:
    """Rename a header in the member of `uf` only."""
    path = replay / ARCHIVE
    with zipfile.ZipFile(path) as archive:
        members = {item.filename: archive.read(item) for item in archive.infolist()}
    name = next(name for name in members if name.endswith(f"_{uf}.csv"))
    spoiled = members[name].replace(f'"{column}"'.encode("latin-1"), b'"OUTRA_COLUNA"', 1)
    assert spoiled != members[name]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in {**members, name: spoiled}.items():
            archive.writestr(member, content)
