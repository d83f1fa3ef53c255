"""The first schema: the classes of the mission, the link between sources and candidates, our bookkeeping."""

import sqlalchemy as sa
from alembic import op

from iris_assets.store.migrations.steps import steps
from iris_assets.store.tables.types import ExactText, JsonText, LongText, Points, ShortText, UtcDateTime, Vector

revision = "0001"
down_revision = None


def _id_of(name: str, schema: str | None) -> sa.Column[int]:
    # Named by a string, the schema would come out quoted, which IRIS takes for a delimited identifier.
    return sa.Table(name, sa.MetaData(), sa.Column("Id", sa.Integer(), primary_key=True), schema=schema).c.Id


def upgrade() -> None:
    make = steps()
    schema = make.schema
    make.create_table(
        "SourceState",
        sa.Column("Id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("Stage", ExactText(30), nullable=False),
        sa.Column("UnitKey", ExactText(200), nullable=False),
        sa.Column("ConsumedKey", ExactText(64), nullable=False),
        sa.Column("DetailJson", JsonText(32000), nullable=True),
        sa.Column("UpdatedAt", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("Id"),
        sa.UniqueConstraint("Stage", "UnitKey", name="SourceStateKey"),
        sqlite_autoincrement=True,
    )
    make.state_made()
    make.create_table(
        "Answer",
        sa.Column("Id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("AnswerKey", ExactText(36), nullable=False),
        sa.Column("Question", ShortText(4000), nullable=False),
        sa.Column("FiltersJson", JsonText(4000), nullable=True),
        sa.Column("AnswerText", LongText(), nullable=True),
        sa.Column("AnswerJson", LongText(), nullable=True),
        sa.Column("Strategy", ShortText(50), nullable=True),
        sa.Column("PromptName", ShortText(100), nullable=True),
        sa.Column("PromptVersion", ShortText(30), nullable=True),
        sa.Column("PromptHash", ShortText(64), nullable=True),
        sa.Column("ModelName", ShortText(255), nullable=True),
        sa.Column("CreatedAt", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("Id"),
        sa.UniqueConstraint("AnswerKey", name="AnswerRowKey"),
        sqlite_autoincrement=True,
    )
    make.create_table(
        "CamaraDeputy",
        sa.Column("Id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("CamaraId", sa.Integer(), nullable=False),
        sa.Column("CivilName", ShortText(255), nullable=True),
        sa.Column("StatusName", ShortText(255), nullable=True),
        sa.Column("ElectoralName", ShortText(255), nullable=True),
        sa.Column("Party", ShortText(30), nullable=True),
        sa.Column("State", ShortText(2), nullable=True),
        sa.Column("Legislature", sa.Integer(), nullable=True),
        sa.Column("PartiesJson", JsonText(4000), nullable=True),
        sa.Column("ListingHash", ExactText(64), nullable=True),
        sa.Column("SourceUrl", ShortText(1000), nullable=True),
        sa.Column("SourceCollectedAt", UtcDateTime(), nullable=True),
        sa.Column("CreatedAt", UtcDateTime(), nullable=False),
        sa.Column("UpdatedAt", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("Id"),
        sa.UniqueConstraint("CamaraId", name="CamaraDeputyKey"),
        sqlite_autoincrement=True,
    )
    make.create_table(
        "Candidate",
        sa.Column("Id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("TseId", ExactText(40), nullable=False),
        sa.Column("ElectionYear", sa.Integer(), nullable=False),
        sa.Column("CamaraDeputyId", sa.Integer(), nullable=True),
        sa.Column("Name", ShortText(255), nullable=False),
        sa.Column("BallotName", ShortText(255), nullable=True),
        sa.Column("SearchName", ShortText(520), nullable=True),
        sa.Column("Party", ShortText(30), nullable=True),
        sa.Column("PartyNumber", sa.Integer(), nullable=True),
        sa.Column("Office", ShortText(100), nullable=False),
        sa.Column("State", ShortText(2), nullable=False),
        sa.Column("CandidateNumber", sa.Integer(), nullable=True),
        sa.Column("MatchStatus", ShortText(20), nullable=True),
        sa.Column("MatchConfidence", Points(), nullable=True),
        sa.Column("Round", sa.Integer(), nullable=True),
        sa.Column("RegistrationStatus", ShortText(100), nullable=True),
        sa.Column("RoundResult", ShortText(100), nullable=True),
        sa.Column("RemovedAtSource", sa.Boolean(), nullable=False),
        sa.Column("SourceUrl", ShortText(1000), nullable=True),
        sa.Column("SourceCollectedAt", UtcDateTime(), nullable=True),
        sa.Column("CreatedAt", UtcDateTime(), nullable=False),
        sa.Column("UpdatedAt", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("Id"),
        sa.UniqueConstraint("TseId", "ElectionYear", name="CandidateKey"),
        sqlite_autoincrement=True,
    )
    make.create_index("CandidateDeputyIdx", "Candidate", ["CamaraDeputyId"])
    make.create_index("CandidateOfficeIdx", "Candidate", ["Office", "State"])
    make.create_index("CandidatePartyIdx", "Candidate", ["Party"])
    make.create_table(
        "EvaluationRun",
        sa.Column("Id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("RunKey", ExactText(36), nullable=False),
        sa.Column("RunPartition", ShortText(10), nullable=False),
        sa.Column("QuestionSet", ShortText(255), nullable=False),
        sa.Column("QuestionSetHash", ShortText(64), nullable=False),
        sa.Column("CorpusHash", ShortText(64), nullable=True),
        sa.Column("EmbeddingModel", ShortText(255), nullable=True),
        sa.Column("EmbeddingDimension", sa.Integer(), nullable=True),
        sa.Column("Status", ShortText(20), nullable=False),
        sa.Column("FiguresJson", JsonText(32000), nullable=True),
        sa.Column("StartedAt", UtcDateTime(), nullable=False),
        sa.Column("FinishedAt", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("Id"),
        sa.UniqueConstraint("RunKey", name="EvaluationRunKey"),
        sqlite_autoincrement=True,
    )
    make.create_table(
        "IngestionRun",
        sa.Column("Id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("RunKey", ExactText(36), nullable=False),
        sa.Column("Source", ShortText(30), nullable=False),
        sa.Column("RunPartition", ShortText(10), nullable=False),
        sa.Column("StartedAt", UtcDateTime(), nullable=False),
        sa.Column("FinishedAt", UtcDateTime(), nullable=True),
        sa.Column("Status", ShortText(20), nullable=False),
        sa.Column("RecordsRead", sa.Integer(), nullable=False),
        sa.Column("RecordsCreated", sa.Integer(), nullable=False),
        sa.Column("RecordsUpdated", sa.Integer(), nullable=False),
        sa.Column("RecordsSkipped", sa.Integer(), nullable=False),
        sa.Column("RecordsFailed", sa.Integer(), nullable=False),
        sa.Column("SourceHash", ShortText(64), nullable=True),
        sa.Column("ErrorCode", ShortText(100), nullable=True),
        sa.Column("ErrorMessage", ShortText(32000), nullable=True),
        sa.Column("ParametersJson", JsonText(32000), nullable=True),
        sa.Column("WorkJson", JsonText(32000), nullable=True),
        sa.Column("ProcessKey", ShortText(200), nullable=True),
        sa.PrimaryKeyConstraint("Id"),
        sa.UniqueConstraint("RunKey", name="IngestionRunKey"),
        sqlite_autoincrement=True,
    )
    make.create_index("IngestionRunStartIdx", "IngestionRun", ["StartedAt"])
    make.create_index("IngestionRunStateIdx", "IngestionRun", ["Source", "RunPartition", "Status"])
    make.create_table(
        "NewsArticle",
        sa.Column("Id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("Fingerprint", ExactText(64), nullable=False),
        sa.Column("TseId", ShortText(40), nullable=False),
        sa.Column("Title", ShortText(500), nullable=True),
        sa.Column("Url", ShortText(1000), nullable=False),
        sa.Column("PublishedAt", ShortText(40), nullable=True),
        sa.Column("BodyText", LongText(), nullable=True),
        sa.Column("ManifestJson", LongText(), nullable=True),
        sa.Column("CreatedAt", UtcDateTime(), nullable=False),
        sa.Column("UpdatedAt", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("Id"),
        sa.UniqueConstraint("Fingerprint", name="NewsArticleKey"),
        sqlite_autoincrement=True,
    )
    make.create_table(
        "PoliticalChunk",
        sa.Column("Id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("SourceType", ExactText(50), nullable=False),
        sa.Column("SourceId", ExactText(100), nullable=False),
        sa.Column("ChunkIndex", sa.Integer(), nullable=False),
        sa.Column("Title", ShortText(500), nullable=True),
        sa.Column("Content", ShortText(32000), nullable=False),
        sa.Column("SourceUrl", ShortText(1000), nullable=True),
        sa.Column("MetadataJson", JsonText(32000), nullable=True),
        sa.Column("ContentHash", ExactText(64), nullable=False),
        sa.Column("Header", ShortText(1000), nullable=True),
        sa.Column("EmbeddedTextHash", ExactText(64), nullable=False),
        sa.Column("EmbeddingModel", ExactText(255), nullable=True),
        sa.Column("EmbeddingDimension", sa.Integer(), nullable=True),
        sa.Column("TokenCount", sa.Integer(), nullable=True),
        sa.Column("SpanStart", sa.Integer(), nullable=True),
        sa.Column("SpanEnd", sa.Integer(), nullable=True),
        sa.Column("PageStart", sa.Integer(), nullable=True),
        sa.Column("PageEnd", sa.Integer(), nullable=True),
        sa.Column("SearchText", LongText(), nullable=True),
        sa.Column("SearchTermCount", sa.Integer(), nullable=True),
        sa.Column("Embedding", Vector(), nullable=True),
        sa.Column("SourceCollectedAt", UtcDateTime(), nullable=True),
        sa.Column("CreatedAt", UtcDateTime(), nullable=False),
        sa.Column("UpdatedAt", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("Id"),
        sa.UniqueConstraint("SourceType", "SourceId", "ChunkIndex", name="PoliticalChunkKey"),
        sqlite_autoincrement=True,
    )
    make.create_index("PoliticalChunkModelIdx", "PoliticalChunk", ["EmbeddingModel", "EmbeddingDimension"])
    make.create_index("PoliticalChunkTextIdx", "PoliticalChunk", ["EmbeddedTextHash"])
    make.create_table(
        "PoliticalHistory",
        sa.Column("Id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("ExternalId", ExactText(100), nullable=False),
        sa.Column("CamaraDeputyId", sa.Integer(), nullable=False),
        sa.Column("Institution", ShortText(50), nullable=False),
        sa.Column("Position", ShortText(255), nullable=True),
        sa.Column("Party", ShortText(30), nullable=True),
        sa.Column("State", ShortText(2), nullable=True),
        sa.Column("Municipality", ShortText(255), nullable=True),
        sa.Column("StartDate", sa.Date(), nullable=True),
        sa.Column("EndDate", sa.Date(), nullable=True),
        sa.Column("DatePrecision", ShortText(10), nullable=True),
        sa.Column("Situation", ShortText(255), nullable=True),
        sa.Column("SourceUrl", ShortText(1000), nullable=True),
        sa.Column("SourceCollectedAt", UtcDateTime(), nullable=True),
        sa.Column("RawJson", LongText(), nullable=True),
        sa.Column("CreatedAt", UtcDateTime(), nullable=False),
        sa.Column("UpdatedAt", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("Id"),
        sa.UniqueConstraint("ExternalId", name="PoliticalHistoryKey"),
        sqlite_autoincrement=True,
    )
    make.create_index("PoliticalHistoryDeputyIdx", "PoliticalHistory", ["CamaraDeputyId"])
    make.create_table(
        "ProposalDocument",
        sa.Column("Id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("DocumentHash", ExactText(64), nullable=False),
        sa.Column("ElectionYear", sa.Integer(), nullable=False),
        sa.Column("Title", ShortText(500), nullable=True),
        sa.Column("SourceUrl", ShortText(1000), nullable=False),
        sa.Column("SourceResourceId", ShortText(100), nullable=True),
        sa.Column("FileName", ShortText(500), nullable=True),
        sa.Column("RawText", LongText(), nullable=True),
        sa.Column("PageCount", sa.Integer(), nullable=True),
        sa.Column("TextStatus", ShortText(20), nullable=False),
        sa.Column("ErrorCode", ShortText(100), nullable=True),
        sa.Column("Engine", ShortText(50), nullable=True),
        sa.Column("QualityJson", JsonText(32000), nullable=True),
        sa.Column("OcrPages", JsonText(8000), nullable=True),
        sa.Column("PageLabels", JsonText(32000), nullable=True),
        sa.Column("SourceCollectedAt", UtcDateTime(), nullable=True),
        sa.Column("CreatedAt", UtcDateTime(), nullable=False),
        sa.Column("UpdatedAt", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("Id"),
        sa.UniqueConstraint("DocumentHash", name="ProposalDocumentKey"),
        sqlite_autoincrement=True,
    )
    make.create_table(
        "Proposition",
        sa.Column("Id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("CamaraId", sa.Integer(), nullable=False),
        sa.Column("Type", ShortText(30), nullable=True),
        sa.Column("Number", sa.Integer(), nullable=True),
        sa.Column("Year", sa.Integer(), nullable=True),
        sa.Column("YearRepaired", sa.Boolean(), nullable=False),
        sa.Column("Title", ShortText(500), nullable=True),
        sa.Column("Summary", ShortText(12000), nullable=True),
        sa.Column("DetailedSummary", ShortText(32000), nullable=True),
        sa.Column("PresentationDate", sa.Date(), nullable=True),
        sa.Column("Status", ShortText(500), nullable=True),
        sa.Column("StatusAt", ShortText(30), nullable=True),
        sa.Column("SourceUrl", ShortText(1000), nullable=True),
        sa.Column("SourceCollectedAt", UtcDateTime(), nullable=True),
        sa.Column("CreatedAt", UtcDateTime(), nullable=False),
        sa.Column("UpdatedAt", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("Id"),
        sa.UniqueConstraint("CamaraId", name="PropositionKey"),
        sqlite_autoincrement=True,
    )
    make.create_index("PropositionReferenceIdx", "Proposition", ["Type", "Number", "Year"])
    make.create_table(
        "AnswerEvidence",
        sa.Column("Id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("AnswerId", sa.Integer(), nullable=False),
        sa.Column("EvidenceKey", ExactText(10), nullable=False),
        sa.Column("Cited", sa.Boolean(), nullable=False),
        sa.Column("SourceType", ShortText(50), nullable=False),
        sa.Column("SourceId", ShortText(100), nullable=False),
        sa.Column("ChunkIndex", sa.Integer(), nullable=True),
        sa.Column("Title", ShortText(500), nullable=True),
        sa.Column("SourceUrl", ShortText(1000), nullable=True),
        sa.Column("PageStart", sa.Integer(), nullable=True),
        sa.Column("PageEnd", sa.Integer(), nullable=True),
        sa.Column("ContentHash", ShortText(64), nullable=True),
        sa.Column("Passage", ShortText(32000), nullable=True),
        sa.ForeignKeyConstraint(
            ["AnswerId"],
            [_id_of("Answer", schema)],
        ),
        sa.PrimaryKeyConstraint("Id"),
        sa.UniqueConstraint("AnswerId", "EvidenceKey", name="AnswerEvidenceKey"),
        sqlite_autoincrement=True,
    )
    make.create_table(
        "EvaluationAnswer",
        sa.Column("Id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("EvaluationId", sa.Integer(), nullable=False),
        sa.Column("QuestionKey", ExactText(100), nullable=False),
        sa.Column("AnswerKey", ShortText(36), nullable=True),
        sa.Column("FiguresJson", JsonText(32000), nullable=True),
        sa.ForeignKeyConstraint(
            ["EvaluationId"],
            [_id_of("EvaluationRun", schema)],
        ),
        sa.PrimaryKeyConstraint("Id"),
        sa.UniqueConstraint("EvaluationId", "QuestionKey", name="EvaluationAnswerKey"),
        sqlite_autoincrement=True,
    )
    make.create_table(
        "MatchEvidence",
        sa.Column("Id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("CandidateId", sa.Integer(), nullable=False),
        sa.Column("CamaraDeputyId", sa.Integer(), nullable=False),
        sa.Column("Score", Points(), nullable=False),
        sa.Column("Outcome", ShortText(20), nullable=False),
        sa.Column("EvidenceJson", JsonText(8000), nullable=False),
        sa.Column("CreatedAt", UtcDateTime(), nullable=False),
        sa.Column("UpdatedAt", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["CandidateId"],
            [_id_of("Candidate", schema)],
        ),
        sa.PrimaryKeyConstraint("Id"),
        sa.UniqueConstraint("CandidateId", "CamaraDeputyId", name="MatchEvidenceKey"),
        sqlite_autoincrement=True,
    )
    make.create_table(
        "PropositionAuthor",
        sa.Column("Id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("PropositionId", sa.Integer(), nullable=False),
        sa.Column("AuthorKey", ExactText(100), nullable=False),
        sa.Column("CamaraAuthorId", sa.Integer(), nullable=True),
        sa.Column("Name", ShortText(255), nullable=False),
        sa.Column("AuthorType", ShortText(100), nullable=True),
        sa.Column("Uri", ShortText(1000), nullable=True),
        sa.Column("IsMainAuthor", sa.Boolean(), nullable=False),
        sa.Column("SignatureOrder", sa.Integer(), nullable=True),
        sa.Column("CreatedAt", UtcDateTime(), nullable=False),
        sa.Column("UpdatedAt", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["PropositionId"],
            [_id_of("Proposition", schema)],
        ),
        sa.PrimaryKeyConstraint("Id"),
        sa.UniqueConstraint("PropositionId", "AuthorKey", name="PropositionAuthorKey"),
        sqlite_autoincrement=True,
    )
    make.create_index("PropositionAuthorDeputyIdx", "PropositionAuthor", ["CamaraAuthorId"])
    make.create_table(
        "PropositionTopic",
        sa.Column("Id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("PropositionId", sa.Integer(), nullable=False),
        sa.Column("ExternalCode", sa.Integer(), nullable=True),
        sa.Column("Name", ExactText(255), nullable=False),
        sa.Column("CreatedAt", UtcDateTime(), nullable=False),
        sa.Column("UpdatedAt", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["PropositionId"],
            [_id_of("Proposition", schema)],
        ),
        sa.PrimaryKeyConstraint("Id"),
        sa.UniqueConstraint("PropositionId", "Name", name="PropositionTopicKey"),
        sqlite_autoincrement=True,
    )
    make.create_table(
        "SourceCandidate",
        sa.Column("Id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("SourceType", ExactText(50), nullable=False),
        sa.Column("SourceId", ExactText(100), nullable=False),
        sa.Column("CandidateId", sa.Integer(), nullable=False),
        sa.Column("LinkRole", ShortText(30), nullable=True),
        sa.Column("FileName", ShortText(500), nullable=True),
        sa.Column("CreatedAt", UtcDateTime(), nullable=False),
        sa.Column("UpdatedAt", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["CandidateId"],
            [_id_of("Candidate", schema)],
        ),
        sa.PrimaryKeyConstraint("Id"),
        sa.UniqueConstraint("SourceType", "SourceId", "CandidateId", name="SourceCandidateKey"),
        sqlite_autoincrement=True,
    )
    make.create_index("SourceCandidateCandidateIdx", "SourceCandidate", ["CandidateId"])
    make.tables_made()


def downgrade() -> None:
    schema = op.get_context().version_table_schema
    for name in (
        "SourceCandidate",
        "PropositionTopic",
        "PropositionAuthor",
        "MatchEvidence",
        "EvaluationAnswer",
        "AnswerEvidence",
        "SourceState",
        "Proposition",
        "ProposalDocument",
        "PoliticalHistory",
        "PoliticalChunk",
        "NewsArticle",
        "IngestionRun",
        "EvaluationRun",
        "Candidate",
        "CamaraDeputy",
        "Answer",
    ):
        op.drop_table(name, schema=schema)
