"""The tables of the store: the eight classes of the mission, the links to candidates, our bookkeeping.

Column names are interface (IRIS class properties); inside Python a column is reached by its snake_case key,
`candidate.c.tse_id`. Row ids never leave the store as identity.
"""

import re

from sqlalchemy import (
    Boolean,
    Column,
    Date,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    UniqueConstraint,
)
from sqlalchemy.sql.elements import quoted_name

from iris_assets.store.tables.types import (
    AnyType,
    ExactText,
    JsonText,
    LongText,
    Points,
    ShortText,
    UtcDateTime,
    Vector,
)

# Translated to the schema of IRIS by the engine; SQLite has none.
LOGICAL_SCHEMA = None

metadata = MetaData(schema=LOGICAL_SCHEMA)


def snake(name: str) -> str:
    """`TseId` → `tse_id`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _col(name: str, kind: AnyType | type[AnyType], *, required: bool = False, key: str = "") -> Column[object]:
    return Column(name, kind, key=key or snake(name), nullable=not required)


def _id() -> Column[int]:
    return Column("Id", Integer, primary_key=True, autoincrement=True, key="id")


def _ref(name: str, target: str) -> Column[int]:
    return Column(name, Integer, ForeignKey(f"{target}.id"), key=snake(name), nullable=False)


def _stamps() -> tuple[Column[object], Column[object]]:
    return _col("CreatedAt", UtcDateTime, required=True), _col("UpdatedAt", UtcDateTime, required=True)


def _table(name: str, *items: Column[object] | Column[int] | UniqueConstraint | Index) -> Table:
    # Without AUTOINCREMENT SQLite gives the id of a deleted row to the next one, and caches keyed by id would lie.
    return Table(quoted_name(name, quote=None), metadata, *items, sqlite_autoincrement=True)


candidate = _table(
    "Candidate",
    _id(),
    _col("TseId", ExactText(40), required=True),
    _col("ElectionYear", Integer, required=True),
    _col("CamaraDeputyId", Integer),
    _col("Name", ShortText(255), required=True),
    _col("BallotName", ShortText(255)),
    _col("SearchName", ShortText(520)),  # ballot name | civil name, folded: accent-free look-up and neutral order
    _col("Party", ShortText(30)),
    _col("PartyNumber", Integer),
    _col("Office", ShortText(100), required=True),
    _col("State", ShortText(2), required=True),
    _col("ElectoralUnit", ShortText(10)),  # the court's code: of the town for mayors and councils, else of the UF
    _col("ElectoralUnitName", ShortText(100)),
    _col("CandidateNumber", Integer),
    _col("MatchStatus", ShortText(20)),
    _col("MatchConfidence", Points),
    _col("Round", Integer),
    _col("RegistrationStatus", ShortText(100)),
    _col("RoundResult", ShortText(100)),
    _col("RemovedAtSource", Boolean, required=True),
    _col("SourceUrl", ShortText(1000)),
    _col("SourceCollectedAt", UtcDateTime),
    *_stamps(),
    UniqueConstraint("tse_id", "election_year", name="CandidateKey"),
    Index("CandidateDeputyIdx", "camara_deputy_id"),
    Index("CandidateOfficeIdx", "office", "state"),
    Index("CandidatePartyIdx", "party"),
)

candidate_change = _table(
    "CandidateChange",
    _id(),
    _col("TseId", ExactText(40), required=True),
    _col("ElectionYear", Integer, required=True),
    _col("Field", ExactText(50), required=True),
    _col("ValueBefore", ShortText(255)),
    _col("ValueAfter", ShortText(255)),
    _col("RunKey", ExactText(36), required=True),
    _col("ChangedAt", UtcDateTime, required=True),
    UniqueConstraint("tse_id", "election_year", "field", "run_key", name="CandidateChangeKey"),
    Index("CandidateChangeTimeIdx", "changed_at"),
)

political_history = _table(
    "PoliticalHistory",
    _id(),
    _col("ExternalId", ExactText(100), required=True),
    _col("CamaraDeputyId", Integer, required=True),
    _col("Institution", ShortText(50), required=True),
    _col("Position", ShortText(255)),
    _col("Party", ShortText(30)),
    _col("State", ShortText(2)),
    _col("Municipality", ShortText(255)),
    _col("StartDate", Date),
    _col("EndDate", Date),
    _col("DatePrecision", ShortText(10)),
    _col("Situation", ShortText(255), key="status"),  # the same word as on the other tables inside Python
    _col("SourceUrl", ShortText(1000)),
    _col("SourceCollectedAt", UtcDateTime),
    _col("RawJson", LongText),
    *_stamps(),
    UniqueConstraint("external_id", name="PoliticalHistoryKey"),
    Index("PoliticalHistoryDeputyIdx", "camara_deputy_id"),
)

proposition = _table(
    "Proposition",
    _id(),
    _col("CamaraId", Integer, required=True),
    _col("Type", ShortText(30)),
    _col("Number", Integer),
    _col("Year", Integer),
    _col("YearRepaired", Boolean, required=True),
    _col("Title", ShortText(500)),
    _col("Summary", ShortText(12000)),
    _col("DetailedSummary", ShortText(32000)),
    _col("PresentationDate", Date),
    _col("Status", ShortText(500)),
    _col("StatusAt", ShortText(30)),
    _col("AuthorTotal", Integer),  # of the source: more than are stored where the list was cut
    _col("SourceUrl", ShortText(1000)),
    _col("SourceCollectedAt", UtcDateTime),
    *_stamps(),
    UniqueConstraint("camara_id", name="PropositionKey"),
    Index("PropositionReferenceIdx", "type", "number", "year"),
)

proposition_author = _table(
    "PropositionAuthor",
    _id(),
    _ref("PropositionId", "Proposition"),
    _col("AuthorKey", ExactText(100), required=True),
    _col("CamaraAuthorId", Integer),
    _col("Name", ShortText(255), required=True),
    _col("AuthorType", ShortText(100)),
    _col("Uri", ShortText(1000)),
    _col("IsMainAuthor", Boolean, required=True),
    _col("SignatureOrder", Integer),
    *_stamps(),
    UniqueConstraint("proposition_id", "author_key", name="PropositionAuthorKey"),
    Index("PropositionAuthorDeputyIdx", "camara_author_id"),
)

proposition_topic = _table(
    "PropositionTopic",
    _id(),
    _ref("PropositionId", "Proposition"),
    _col("ExternalCode", Integer),
    _col("Name", ExactText(255), required=True),
    *_stamps(),
    UniqueConstraint("proposition_id", "name", name="PropositionTopicKey"),
)

proposal_document = _table(
    "ProposalDocument",
    _id(),
    _col("DocumentHash", ExactText(64), required=True),
    _col("ElectionYear", Integer, required=True),
    _col("Title", ShortText(500)),
    _col("SourceUrl", ShortText(1000), required=True),
    _col("SourceResourceId", ShortText(100)),
    _col("FileName", ShortText(500)),
    _col("RawText", LongText),
    _col("PageCount", Integer),
    _col("TextStatus", ShortText(20), required=True),  # OK, PARTIAL, EMPTY, OCR, FAILED
    _col("ErrorCode", ShortText(100)),
    _col("Engine", ShortText(50)),
    _col("QualityJson", JsonText(32000)),
    _col("OcrPages", JsonText(8000)),
    _col("PageLabels", JsonText(32000)),
    _col("SourceCollectedAt", UtcDateTime),
    *_stamps(),
    UniqueConstraint("document_hash", name="ProposalDocumentKey"),
)

# A source (bill, document, history record) belongs to every candidate that it concerns.
source_candidate = _table(
    "SourceCandidate",
    _id(),
    _col("SourceType", ExactText(50), required=True),
    _col("SourceId", ExactText(100), required=True),
    _ref("CandidateId", "Candidate"),
    _col("LinkRole", ShortText(30)),  # AUTHOR, FILED_BY, HOLDER
    # Facts of the filing: the document may have been filed by others too, from other archives.
    _col("FileName", ShortText(500)),  # documents: the archive member that made the link
    _col("Title", ShortText(500)),
    _col("SourceUrl", ShortText(1000)),
    _col("SourceCollectedAt", UtcDateTime),
    *_stamps(),
    UniqueConstraint("source_type", "source_id", "candidate_id", name="SourceCandidateKey"),
    Index("SourceCandidateCandidateIdx", "candidate_id"),
)

political_chunk = _table(
    "PoliticalChunk",
    _id(),
    _col("SourceType", ExactText(50), required=True),
    _col("SourceId", ExactText(100), required=True),
    _col("ChunkIndex", Integer, required=True),
    _col("Title", ShortText(500)),
    _col("Content", ShortText(32000), required=True),
    _col("SourceUrl", ShortText(1000)),
    _col("MetadataJson", JsonText(32000)),
    _col("ContentHash", ExactText(64), required=True),
    _col("Header", ShortText(1000)),
    _col("EmbeddedTextHash", ExactText(64), required=True),
    _col("EmbeddingModel", ExactText(255)),
    _col("EmbeddingDimension", Integer),
    _col("TokenCount", Integer),
    _col("SpanStart", Integer),  # where the chunk lies in the source's text, in characters
    _col("SpanEnd", Integer),
    _col("PageStart", Integer),
    _col("PageEnd", Integer),
    _col("SearchText", LongText),  # prepared terms: what the full-text index of either engine reads
    _col("SearchTermCount", Integer),
    _col("Embedding", Vector),
    _col("SourceCollectedAt", UtcDateTime),
    *_stamps(),
    UniqueConstraint("source_type", "source_id", "chunk_index", name="PoliticalChunkKey"),
    Index("PoliticalChunkTextIdx", "embedded_text_hash"),
    Index("PoliticalChunkModelIdx", "embedding_model", "embedding_dimension"),
)

ingestion_run = _table(
    "IngestionRun",
    _id(),
    _col("RunKey", ExactText(36), required=True),
    _col("Source", ShortText(30), required=True),
    _col("RunPartition", ShortText(10), required=True),
    _col("StartedAt", UtcDateTime, required=True),
    _col("FinishedAt", UtcDateTime),
    _col("Status", ShortText(20), required=True),  # RUNNING, SUCCESS, PARTIAL, FAILED
    _col("RecordsRead", Integer, required=True),
    _col("RecordsCreated", Integer, required=True),
    _col("RecordsUpdated", Integer, required=True),
    _col("RecordsSkipped", Integer, required=True),
    _col("RecordsFailed", Integer, required=True),
    _col("SourceHash", ShortText(64)),
    _col("ErrorCode", ShortText(100)),
    _col("ErrorMessage", ShortText(32000)),
    _col("ParametersJson", JsonText(32000)),
    _col("WorkJson", JsonText(32000)),  # counters of the work really done, for `--json` and the metadata
    _col("ProcessKey", ShortText(200)),  # host, process id and start time: tells a dead run from a live one
    _col("ElectionYear", Integer),  # whose records the run refreshed; empty before version 7 of the schema
    UniqueConstraint("run_key", name="IngestionRunKey"),
    Index("IngestionRunStartIdx", "started_at"),
    Index("IngestionRunStateIdx", "source", "run_partition", "status"),
)

# What each stage consumed, so that unchanged input costs nothing (and a changed filter or code version does).
source_state = _table(
    "SourceState",
    _id(),
    _col("Stage", ExactText(30), required=True),
    _col("UnitKey", ExactText(200), required=True),
    _col("ConsumedKey", ExactText(64), required=True),
    _col("DetailJson", JsonText(32000)),
    _col("UpdatedAt", UtcDateTime, required=True),
    UniqueConstraint("stage", "unit_key", name="SourceStateKey"),
)

# What the Câmara says of each deputy, collected once for all partitions.
camara_deputy = _table(
    "CamaraDeputy",
    _id(),
    _col("CamaraId", Integer, required=True),
    _col("CivilName", ShortText(255)),
    _col("StatusName", ShortText(255)),
    _col("ElectoralName", ShortText(255)),
    _col("Party", ShortText(30)),
    _col("State", ShortText(2)),
    _col("Legislature", Integer),
    _col("PartiesJson", JsonText(4000)),
    _col("ListingHash", ExactText(64)),
    _col("SourceUrl", ShortText(1000)),
    _col("SourceCollectedAt", UtcDateTime),
    *_stamps(),
    UniqueConstraint("camara_id", name="CamaraDeputyKey"),
)

match_evidence = _table(
    "MatchEvidence",
    _id(),
    _ref("CandidateId", "Candidate"),
    _col("CamaraDeputyId", Integer, required=True),
    _col("Score", Points, required=True),
    _col("Outcome", ShortText(20), required=True),
    _col("EvidenceJson", JsonText(8000), required=True),
    *_stamps(),
    UniqueConstraint("candidate_id", "camara_deputy_id", name="MatchEvidenceKey"),
)

answer = _table(
    "Answer",
    _id(),
    _col("AnswerKey", ExactText(36), required=True),
    _col("Question", ShortText(4000), required=True),
    _col("FiltersJson", JsonText(4000)),
    _col("AnswerText", LongText),
    _col("AnswerJson", LongText),  # the whole response as first given
    _col("Strategy", ShortText(50)),
    _col("PromptName", ShortText(100)),
    _col("PromptVersion", ShortText(30)),
    _col("PromptHash", ShortText(64)),
    _col("ModelName", ShortText(255)),
    _col("CreatedAt", UtcDateTime, required=True),
    _col("OpenedAt", UtcDateTime),  # when it was last asked for again: what nobody opens is forgotten
    UniqueConstraint("answer_key", name="AnswerRowKey"),
)

answer_evidence = _table(
    "AnswerEvidence",
    _id(),
    _ref("AnswerId", "Answer"),
    _col("EvidenceKey", ExactText(10), required=True),  # E1, E2, …
    _col("Cited", Boolean, required=True),
    _col("SourceType", ShortText(50), required=True),
    _col("SourceId", ShortText(100), required=True),
    _col("ChunkIndex", Integer),
    _col("Title", ShortText(500)),
    _col("SourceUrl", ShortText(1000)),
    _col("PageStart", Integer),
    _col("PageEnd", Integer),
    _col("ContentHash", ShortText(64)),
    _col("Passage", ShortText(32000)),
    UniqueConstraint("answer_id", "evidence_key", name="AnswerEvidenceKey"),
)

evaluation_run = _table(
    "EvaluationRun",
    _id(),
    _col("RunKey", ExactText(36), required=True),
    _col("RunPartition", ShortText(10), required=True),
    _col("QuestionSet", ShortText(255), required=True),
    _col("QuestionSetHash", ShortText(64), required=True),
    _col("CorpusHash", ShortText(64)),
    _col("EmbeddingModel", ShortText(255)),
    _col("EmbeddingDimension", Integer),
    _col("Status", ShortText(20), required=True),
    _col("FiguresJson", JsonText(32000)),
    _col("StartedAt", UtcDateTime, required=True),
    _col("FinishedAt", UtcDateTime),
    UniqueConstraint("run_key", name="EvaluationRunKey"),
)

evaluation_answer = _table(
    "EvaluationAnswer",
    _id(),
    _ref("EvaluationId", "EvaluationRun"),
    _col("QuestionKey", ExactText(100), required=True),
    _col("AnswerKey", ShortText(36)),
    _col("FiguresJson", JsonText(32000)),
    UniqueConstraint("evaluation_id", "question_key", name="EvaluationAnswerKey"),
)

news_article = _table(
    "NewsArticle",
    _id(),
    _col("Fingerprint", ExactText(64), required=True),
    _col("TseId", ShortText(40), required=True),
    _col("Title", ShortText(500)),
    _col("Url", ShortText(1000), required=True),
    _col("PublishedAt", ShortText(40)),
    _col("BodyText", LongText),
    _col("ManifestJson", LongText),
    _col("FetchedAt", ShortText(40)),
    _col("Status", ShortText(20)),
    _col("StatusReason", ShortText(500)),
    _col("ReplacedBy", ShortText(64)),
    _col("Correction", ShortText(1000)),
    *_stamps(),
    UniqueConstraint("fingerprint", name="NewsArticleKey"),
)
