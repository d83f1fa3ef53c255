"""The stage `proposals`: hostile PDFs beside honest ones, reruns without work, quality shown, plans of two elections."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from iris_assets.defs.recording import report_metadata
from iris_assets.ingest.proposals import ingest_proposals
from iris_assets.ingest.reporting import StageReport
from iris_assets.sample.faults import HTML
from iris_assets.sources.proposals import fate_of
from iris_assets_tests.documents.pdfs import hand_made, pdf
from iris_assets_tests.ingest.court import PLANS_PATH, Court
from iris_assets_tests.ingest.test_candidates import counters, people
from iris_assets_tests.sources.test_candidates import line


@pytest.fixture
def court(tmp_path: Path) -> Iterator[Court]:
    made = Court(tmp_path)
    yield made
    made.store.close()


def test_hostile_plans_cost_themselves_and_every_honest_one_is_stored(court: Court) -> None:
    hostile = list(hand_made().items())
    honest = {f"SP/2026SP{250_000_000_000 + n}_02.pdf": pdf([[f"Plano honesto {n}"]]) for n in range(len(hostile))}
    members = {f"SP/2026SP{250_000_000_000 + n}_01.pdf": data for n, (_, data) in enumerate(hostile)}
    court.publish({"SP": people(len(hostile))})
    court.candidates("SP")
    court.publish_plans("SP", {**members, **honest})
    report = court.proposals("SP", pdf_max_seconds=3, pdf_max_memory_mb=512)["SP"]
    assert report.status == "PARTIAL"
    assert report.counters["read"] == len(members) + len(honest)
    stored = court.store.documents.hashes(2026).values()
    status = {row["file_name"]: (row["text_status"], row["error_code"]) for row in stored}
    assert {status[name] for name in honest} == {("OK", None)}
    failed = {name: code for name, (text, code) in status.items() if text == "FAILED"}
    assert len(failed) == report.counters["failed"] > 10
    assert set(failed.values()) <= {
        "PDF_CRASHED", "PDF_EMPTY_FILE", "PDF_ENCRYPTED", "PDF_MALFORMED", "PDF_MEMORY", "PDF_NO_PAGES", "PDF_TIMEOUT",
    }  # fmt: skip
    again = court.proposals("SP", pdf_max_seconds=3, pdf_max_memory_mb=512)["SP"]
    assert (again.status, counters(again), again.work["pdfs_extracted"]) == ("PARTIAL", {}, 0)
    assert sorted(again.gaps) == sorted(report.gaps)


def test_a_refused_archive_of_plans_leaves_the_last_good_one_in_use(court: Court) -> None:
    court.publish({"SP": people(1)})
    court.candidates("SP")
    court.publish_plans("SP", {"SP/2026SP250000000000_01.pdf": pdf([["Plano"]])})
    assert court.proposals("SP")["SP"].status == "SUCCESS"
    court.faults.script(PLANS_PATH.format("SP"), [HTML])
    report = court.proposals("SP")["SP"]
    assert (report.status, report.error_code, report.figures["rows_stored"]) == ("PARTIAL", "ARCHIVE_IS_HTML", 1)


def test_a_plan_that_left_the_archive_is_retired_and_others_are_not_read_again(court: Court) -> None:
    plans = {f"SP/2026SP25000000000{n}_01.pdf": pdf([[f"Plano {n}"]]) for n in range(2)}
    court.publish({"SP": people(2)})
    court.candidates("SP")
    court.publish_plans("SP", plans)
    court.proposals("SP")
    court.publish_plans("SP", dict(list(plans.items())[:1]))
    report = court.proposals("SP")["SP"]
    assert (report.work["pdfs_extracted"], report.figures["retired"], report.figures["rows_stored"]) == (0, 1, 1)


def test_an_archive_that_lacks_most_plans_is_suspicious_and_retires_nothing(court: Court) -> None:
    plans = {f"SP/2026SP25000000000{n}_01.pdf": pdf([[f"Plano {n}"]]) for n in range(3)}
    court.publish({"SP": people(3)})
    court.candidates("SP")
    court.publish_plans("SP", plans)
    court.proposals("SP")
    court.publish_plans("SP", {"leiame.pdf": b"%PDF-"})
    report = court.proposals("SP", iris_assets_replay=None)["SP"]
    assert (report.status, report.error_code) == ("PARTIAL", "ROW_COUNT_SUSPICIOUS")
    assert report.figures["rows_stored"] == 3
    again = court.proposals("SP", iris_assets_replay=None)["SP"]
    assert (again.status, again.error_code) == ("PARTIAL", "ROW_COUNT_SUSPICIOUS")


def test_a_rerun_says_again_which_member_cannot_be_unpacked(court: Court) -> None:
    court.publish({"SP": people(2)})
    court.candidates("SP")
    court.publish_plans("SP", {"SP/2026SP250000000000_01.pdf": pdf([["Plano"]]), "leiame.pdf": b"x"})
    path = court.files / "proposta_governo_2026_SP.zip"
    archive = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        archive[archive.find(signature) + offset] |= 1  # encrypted, the other files are not
    court.publish_bytes(bytes(archive), path.name)
    reports = [court.proposals("SP")["SP"], court.proposals("SP")["SP"]]
    assert [(report.status, report.error_code) for report in reports] == [("PARTIAL", "MEMBER_ENCRYPTED")] * 2
    assert [counters(report) for report in reports] == [{"read": 1, "failed": 1}, {}]


@pytest.mark.parametrize("kept", [True, False])
def test_the_pdf_is_kept_under_its_hash_unless_switched_off(tmp_path: Path, kept: bool) -> None:
    court, data = Court(tmp_path), pdf([["Plano"]])
    court.publish({"SP": people(2)})
    court.candidates("SP")
    court.publish_plans("SP", {"SP/2026SP250000000001_01.pdf": data})
    court.proposals("SP", keep_plan_files=kept)
    [row] = court.store.documents.hashes(2026).values()
    files = list(tmp_path.rglob(f"{row['document_hash']}.pdf"))
    assert [(file.read_bytes(), file.stat().st_mode & 0o777) for file in files] == ([(data, 0o600)] if kept else [])
    court.store.close()


def test_another_run_opens_no_pdf(court: Court) -> None:
    court.publish({"SP": people(2)})
    court.candidates("SP")
    court.publish_plans("SP", {f"SP/2026SP25000000000{n}_01.pdf": pdf([[f"Plano {n}"]]) for n in range(3)})
    first = court.proposals("SP")["SP"]
    assert (counters(first), first.work["pdfs_extracted"]) == ({"read": 3, "created": 2, "skipped": 1}, 2)
    assert first.figures["candidate_not_found"] == 1
    again = court.proposals("SP")["SP"]
    assert (again.status, counters(again), again.work["pdfs_extracted"]) == ("SUCCESS", {}, 0)
    assert again.tables["documents"] == first.tables["documents"]
    with court.context().http:
        assert ingest_proposals(court.context(), "RJ").notes == ["the catalogue lists no government plans for RJ"]


def test_the_text_quality_of_each_plan_is_stored_and_shown(court: Court) -> None:
    court.publish({"SP": people(2)})
    court.candidates("SP")
    court.publish_plans(
        "SP",
        {
            "SP/2026SP250000000000_01.pdf": pdf([["Pro-", "posta de edu-", "ca\xe7\xe3o e pro-", "posta"], []]),
            "SP/2026SP250000000001_01.pdf": pdf([[], []]),
        },
    )
    report = court.proposals("SP")["SP"]
    assert (report.status, report.error_code) == ("PARTIAL", "PDF_TEXT_EXTRACTION_EMPTY")
    shown = report.tables["documents"]
    assert [(row["pages"], row["status"], row["without_text"]) for row in shown] == [(2, "PARTIAL", 1), (2, "EMPTY", 2)]
    assert shown[0]["hyphenations_joined"] == 3
    (stored, empty) = sorted(court.store.documents.hashes(2026).values(), key=lambda row: row["file_name"])
    row = court.store.documents.get(stored["document_hash"])
    assert row is not None
    assert (row["quality_json"]["pages_without_text"], row["quality_json"]["hyphenations_joined"]) == ([2], 3)
    assert (empty["text_status"], empty["error_code"]) == ("EMPTY", "PDF_TEXT_EXTRACTION_EMPTY")
    metadata = report_metadata(report)["table/documents"]
    assert [record.data["status"] for record in metadata.records] == ["PARTIAL", "EMPTY"]
    again = court.proposals("SP")["SP"]
    assert (again.status, again.work["pdfs_extracted"], again.tables["documents"]) == ("PARTIAL", 0, shown)


def test_one_pdf_filed_in_two_elections_is_told_in_both(tmp_path: Path) -> None:
    courts = {year: Court(tmp_path / str(year), year) for year in (2022, 2026)}
    courts[2026].store.close()
    courts[2026].store = courts[2022].store
    for year in (2022, 2026, 2022):
        court = courts[year]
        court.publish({"SP": people(1, ANO_ELEICAO=str(year))})
        court.candidates("SP")
        court.publish_plans("SP", {f"{year}SP250000000000.pdf": pdf([["Plano de sempre"]])})
        report = court.proposals("SP")["SP"]
        assert (report.status, len(report.tables["documents"])) == ("SUCCESS", 1)
    store = courts[2022].store
    (row,) = store.documents.hashes(2026).values()
    assert store.documents.hashes(2022).keys() == {row["document_hash"]} and store.documents.hashes(2018) == {}
    assert (row["election_year"], row["file_name"]) == (2022, "2022SP250000000000.pdf")
    links = {
        link["file_name"]: link["source_url"] or ""
        for link in store.links.of_source("GOVERNMENT_PROPOSAL", row["document_hash"])
    }
    assert sorted(links) == ["2022SP250000000000.pdf", "2026SP250000000000.pdf"]
    assert all(name[:4] in url for name, url in links.items())


def test_one_changed_candidate_touches_the_passages_of_that_candidate_only(court: Court) -> None:
    plans = {f"SP/2026SP25000000000{n}_01.pdf": pdf([[f"Plano {n}", "Saúde e educação"]]) for n in range(3)}
    court.publish({"SP": people(3)})
    court.publish_plans("SP", plans)

    def run() -> tuple[list[StageReport], dict[str, list[tuple[int, str]]]]:
        reports = [stage("SP")["SP"] for stage in (court.candidates, court.proposals, court.chunks)]
        passages = {
            source_id: [(row["id"], row["header"]) for row in court.store.chunks.of_source(kind, source_id)]
            for kind, source_id in court.store.chunks.sources("SP")
        }
        return reports, passages

    _, before = run()
    (unchanged, same) = run()
    assert (same, [counters(report) for report in unchanged[:2]]) == (before, [{}, {}])
    changed = people(3)
    changed[1] = line(SQ_CANDIDATO="250000000001", SG_PARTIDO="PNOVO")
    court.publish({"SP": changed})
    reports, after = run()
    assert counters(reports[0]) == {"read": 3, "updated": 1, "skipped": 2}
    assert (reports[1].work["pdfs_extracted"], counters(reports[1])) == (0, {})
    assert reports[2].work["sources_chunked"] == 1
    moved = [source_id for source_id in before if before[source_id] != after[source_id]]
    assert len(before) == len(after) == 3
    assert [("PNOVO" in after[source_id][0][1], len(after[source_id])) for source_id in moved] == [(True, 1)]


def test_a_plan_in_another_format_is_listed_with_its_fate_and_is_a_gap_every_time(court: Court) -> None:
    court.publish({"SP": [line()]})
    court.candidates("SP")
    names = ("SP/2026SP250000000001_01.pdf", "SP/2026SP250000000001_02.docx", "SP/2026SP259999999999_01.odt")
    court.publish_plans("SP", dict.fromkeys(names, pdf([["Plano"]])))
    for _ in range(2):
        report = court.proposals("SP")["SP"]
        assert (report.status, report.error_code) == ("PARTIAL", "PLAN_FORMAT_UNREAD")
        assert report.gaps == ["PLAN_FORMAT_UNREAD: SP/2026SP250000000001_02.docx: a plan in DOCX, listed and not read"]
        assert (report.figures["plans"], report.figures["plans_in_other_formats"]) == (1, 1)
    assert fate_of(names[1]) == (
        "plan of candidate 250000000001 (SP 2026), document 02: listed, not read (DOCX, only PDF has pages to cite)"
    )
