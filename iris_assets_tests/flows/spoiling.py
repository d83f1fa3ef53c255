"""Spoils one UF in a copy of the sample, as the court did in some years: a required column is gone from its file."""

import zipfile
from pathlib import Path

ARCHIVE = "tse/files/consulta_cand_2026.zip"


def drop_column(replay: Path, uf: str, column: str = "NM_CANDIDATO") -> None:
    """Rename a header in the member of `uf`, and in the national one that would stand in for it."""
    path = replay / ARCHIVE
    with zipfile.ZipFile(path) as archive:
        members = {item.filename: archive.read(item) for item in archive.infolist()}
    wanted = (f"_{uf}.csv", "_BRASIL.csv")
    spoiled = {
        name: content.replace(f'"{column}"'.encode("latin-1"), b'"OUTRA_COLUNA"', 1)
        for name, content in members.items()
        if name.endswith(wanted)
    }
    assert len(spoiled) == 2 and all(content != members[name] for name, content in spoiled.items())
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in {**members, **spoiled}.items():
            archive.writestr(member, content)
