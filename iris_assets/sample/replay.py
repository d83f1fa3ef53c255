"""A replay folder in memory: the catalogue, the archives and the Câmara's records, indexed for quick answers."""

import csv
import json
from collections import defaultdict
from collections.abc import Iterator
from email.utils import formatdate
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from iris_assets.errors import ConfigurationError
from iris_assets.files import sha256_of

API: Final = "https://dadosabertos.camara.leg.br/api/v2"
Row = dict[str, str]


class ReplayFolder:
    """Reads lazily; ConfigurationError REPLAY_FOLDER_MISSING when the folder is not one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for part in ("tse/package_show", "tse/files", "camara/deputados.json"):
            if not (folder / part).exists():
                raise ConfigurationError(
                    "REPLAY_FOLDER_MISSING",
                    f"{folder} is no replay folder: {part} is missing",
                    hint="give a folder made by `iris-assets sample FOLDER` (see the README)",
                )

    # -- the electoral court -----------------------------------------------------------------------------------

    def package(self, dataset: str) -> dict[str, Any] | None:
        """The catalogue's recorded answer for a dataset."""
        path = self.folder / "tse" / "package_show" / f"{dataset}.json"
        if not dataset.replace("-", "").isalnum() or not path.is_file():
            return None
        answer: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return answer

    def file(self, name: str) -> Path | None:
        """A file of the content network or a yearly file of the Câmara, by its base name."""
        place = self.folder / ("camara" if name.startswith("proposicoes") else "tse/files") / name
        return place if place.is_file() else None

    # -- the Chamber -------------------------------------------------------------------------------------------

    @cached_property
    def deputies(self) -> dict[int, dict[str, Any]]:
        return {item["id"]: item for item in self._json("deputados.json", [])}

    @cached_property
    def listed_deputies(self) -> list[dict[str, Any]]:
        """The listing's entries, by name: many pages are cut out of them."""
        names = ("nome", "siglaPartido", "uriPartido", "siglaUf", "idLegislatura", "urlFoto", "email")
        items = [
            {"id": deputy["id"], "uri": deputy["uri"], **{name: deputy["ultimoStatus"].get(name) for name in names}}
            for deputy in self.deputies.values()
        ]
        return sorted(items, key=lambda item: (str(item["nome"]).casefold(), item["id"]))

    @cached_property
    def histories(self) -> dict[str, list[dict[str, Any]]]:
        found: dict[str, list[dict[str, Any]]] = self._json("historico.json", {})
        return found

    @cached_property
    def mandates(self) -> dict[str, list[dict[str, Any]]]:
        found: dict[str, list[dict[str, Any]]] = self._json("mandatosExternos.json", {})
        return found

    @cached_property
    def bills(self) -> dict[int, Row]:
        return {int(row["id"]): row for row in self._rows("proposicoes")}

    @cached_property
    def authors(self) -> dict[int, list[Row]]:
        return self._grouped("proposicoesAutores", "idProposicao")

    @cached_property
    def topics(self) -> dict[int, list[Row]]:
        return self._grouped("proposicoesTemas", "uriProposicao")

    @cached_property
    def bills_by_deputy(self) -> dict[int, list[int]]:
        """Ids of the known bills that each deputy signs, newest id first."""
        found: dict[int, set[int]] = defaultdict(set)
        for bill, deputy in self._columns("proposicoesAutores", "idProposicao", "idDeputadoAutor"):
            if deputy and int(bill) in self.bills:
                found[int(deputy)].add(int(bill))
        return {deputy: sorted(numbers, reverse=True) for deputy, numbers in found.items()}

    def _grouped(self, kind: str, key: str) -> dict[int, list[Row]]:
        found: dict[int, list[Row]] = defaultdict(list)
        for row in self._rows(kind):
            found[int(row[key].rsplit("/", 1)[-1])].append(row)
        return found

    def _rows(self, kind: str) -> list[Row]:
        # The plain reader takes a third of DictReader's time, and every process that replays pays it once.
        return [dict(zip(header, row, strict=True)) for header, reader in self._tables(kind) for row in reader]

    def _columns(self, kind: str, *names: str) -> Iterator[tuple[str, ...]]:
        for header, reader in self._tables(kind):
            yield from map(itemgetter(*(header.index(name) for name in names)), reader)

    def _tables(self, kind: str) -> Iterator[tuple[list[str], Iterator[list[str]]]]:
        """The header and the records of each yearly file."""
        for path in sorted((self.folder / "camara").glob(f"{kind}-[0-9]*.csv")):
            with path.open(encoding="utf-8-sig", newline="") as file:
                reader = csv.reader(file, delimiter=";")
                yield next(reader, []), reader

    def _json(self, name: str, empty: Any) -> Any:
        path = self.folder / "camara" / name
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else empty


def validators(path: Path) -> tuple[str, str]:
    """(ETag, Last-Modified) of a file: the ETag is made of its content, so it survives a copy of the folder."""
    state = path.stat()
    key = (str(path), state.st_mtime_ns, state.st_size)
    if key not in _etags:
        _etags[key] = f'"{sha256_of(path)[:32]}"'
    return _etags[key], formatdate(state.st_mtime, usegmt=True)


_etags: dict[tuple[str, int, int], str] = {}
