"""Personal data: what is masked in running text, and that nothing of it is left in what we keep."""

from collections import Counter
from pathlib import Path

import pytest

from iris_assets.commands.privacy import scan
from iris_assets.documents.cleaning import clean_document
from iris_assets.personal import is_cpf, mask_personal
from iris_assets_tests.documents.pdfs import pdf
from iris_assets_tests.ingest.court import Court
from iris_assets_tests.ingest.test_candidates import PERSONAL
from iris_assets_tests.sources.test_candidates import line

# Made-up numbers with right check digits.
CPF, BARE = "529.982.247-25", "52998224725"


@pytest.mark.parametrize(
    ("text", "masked", "kinds"),
    [
        (f"CPF {CPF}.", "CPF [CPF omitido].", {"cpf": 1}),
        (f"inscrita sob {BARE} no cadastro", "inscrita sob [CPF omitido] no cadastro", {"cpf": 1}),
        ("529.982.247-26 e 111.111.111-11", "529.982.247-26 e 111.111.111-11", {}),
        (f"R$ {BARE},00 e 12.345.678/0001-95", f"R$ {BARE},00 e 12.345.678/0001-95", {}),
        ("Escreva a ana.lima+voto@exemplo.com.br!", "Escreva a [e-mail omitido]!", {"email": 1}),
        ("perfil @analima e 5 @ 10", "perfil @analima e 5 @ 10", {}),
        ("Tel.: (86) 99999-1234 / 3221-4567", "Tel.: [telefone omitido] / [telefone omitido]", {"phone": 2}),
        ("WhatsApp +55 86 99999 1234", "WhatsApp [telefone omitido]", {"phone": 1}),
        ("investir 3221-4567 ou 86999991234", "investir 3221-4567 ou 86999991234", {}),
        ("em contato com a gestão 2021-2024, disque 180", "em contato com a gestão 2021-2024, disque 180", {}),
    ],
)
def test_what_is_masked_and_what_only_looks_like_it(text: str, masked: str, kinds: dict[str, int]) -> None:
    counts: Counter[str] = Counter()
    assert mask_personal(text, counts) == masked
    assert counts == {f"masked_{kind}": number for kind, number in kinds.items()}


def test_check_digits() -> None:
    assert [is_cpf(text) for text in (CPF, BARE, "52998224724", "00000000000", "5299822472")] == [
        True, True, False, False, False,
    ]  # fmt: skip


def test_the_text_of_a_plan_is_masked_when_it_is_cleaned_and_counted_in_its_quality() -> None:
    pages, counts = clean_document([f"Candidata: Ana, CPF {CPF}", "Contato: ana@exemplo.com.br"])
    assert pages == ["Candidata: Ana, CPF [CPF omitido]", "Contato: [e-mail omitido]"]
    assert (counts["masked_cpf"], counts["masked_email"]) == (1, 1)


def test_after_a_run_nothing_personal_lies_about(tmp_path: Path) -> None:
    court = Court(tmp_path)
    personal = {**PERSONAL, "NR_CPF_CANDIDATO": CPF}
    court.publish({"SP": [line(**personal)], "BRASIL": [line(**personal, SG_UF="RJ", SQ_CANDIDATO="190000000001")]})
    plan = pdf([["Plano de Ana", f"CPF {CPF}, ana.lima@exemplo.com.br, tel. (86) 99999-1234"]])
    court.publish_plans("SP", {"SP/2026SP250000000001_01.pdf": plan})
    court.candidates("SP", "RJ")
    report = court.proposals("SP")["SP"]
    assert report.status == "SUCCESS", report
    (document,) = court.store.documents.hashes(2026).values()
    quality = court.store.documents.get(document["document_hash"])["quality_json"]
    assert [quality[f"masked_{kind}"] for kind in ("cpf", "email", "phone")] == [1, 1, 1]
    court.store.close()
    kept = [tmp_path / "downloads", tmp_path / "store.sqlite3"]
    assert scan(kept[:1]) == []
    assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / "downloads" / "objects").rglob("*/*"))
    copy = tmp_path / "exports"
    copy.mkdir()
    (copy / "store.sqlite3").write_bytes(kept[1].read_bytes())
    assert scan([copy]) == []


def test_a_scan_tells_file_kind_and_number_and_never_the_value(tmp_path: Path) -> None:
    (tmp_path / "run.log").write_text(f"x {CPF} y {CPF} z\nana.lima@exemplo.com.br 529.982.247-26\n")
    (tmp_path / "objects").mkdir()
    published = tmp_path / "objects" / "archive"
    published.write_text(CPF)
    published.chmod(0o644)
    leaks = scan([tmp_path, tmp_path / "objects"])
    assert [(leak.path.name, leak.what, leak.finds) for leak in leaks] == [
        ("archive", "published file that others may read", 1),
        ("run.log", "CPF", 2),
        ("run.log", "e-mail", 1),
    ]
    assert CPF not in repr(leaks)
