CREATE TABLE IRISPolitical_Model.alembic_version (
    version_num VARCHAR(32) NOT NULL, 
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
) WITH %CLASSPARAMETER ALLOWIDENTITYINSERT = 1;

-- Running upgrade  -> 0001

CREATE TABLE IRISPolitical_Model."SourceState" (
    "Id" IDENTITY NOT NULL, 
    "Stage" VARCHAR(30) COLLATE %EXACT NOT NULL, 
    "UnitKey" VARCHAR(200) COLLATE %EXACT NOT NULL, 
    "ConsumedKey" VARCHAR(64) COLLATE %EXACT NOT NULL, 
    "DetailJson" VARCHAR(32000) COLLATE %EXACT, 
    "UpdatedAt" TIMESTAMP NOT NULL, 
    PRIMARY KEY ("Id"), 
    CONSTRAINT "SourceStateKey" UNIQUE ("Stage", "UnitKey")
) WITH %CLASSPARAMETER ALLOWIDENTITYINSERT = 1;

INSERT OR UPDATE INTO IRISPolitical_Model."SourceState" ("Stage", "UnitKey", "ConsumedKey", "UpdatedAt") VALUES ('schema', 'embedding_dimension', '1536', CURRENT_TIMESTAMP);

CREATE TABLE IRISPolitical_Model."Answer" (
    "Id" IDENTITY NOT NULL, 
    "AnswerKey" VARCHAR(36) COLLATE %EXACT NOT NULL, 
    "Question" VARCHAR(4000) COLLATE %EXACT NOT NULL, 
    "FiltersJson" VARCHAR(4000) COLLATE %EXACT, 
    "AnswerText" LONGVARCHAR, 
    "AnswerJson" LONGVARCHAR, 
    "Strategy" VARCHAR(50) COLLATE %EXACT, 
    "PromptName" VARCHAR(100) COLLATE %EXACT, 
    "PromptVersion" VARCHAR(30) COLLATE %EXACT, 
    "PromptHash" VARCHAR(64) COLLATE %EXACT, 
    "ModelName" VARCHAR(255) COLLATE %EXACT, 
    "CreatedAt" TIMESTAMP NOT NULL, 
    PRIMARY KEY ("Id"), 
    CONSTRAINT "AnswerRowKey" UNIQUE ("AnswerKey")
) WITH %CLASSPARAMETER ALLOWIDENTITYINSERT = 1;

CREATE TABLE IRISPolitical_Model."CamaraDeputy" (
    "Id" IDENTITY NOT NULL, 
    "CamaraId" INTEGER NOT NULL, 
    "CivilName" VARCHAR(255) COLLATE %EXACT, 
    "StatusName" VARCHAR(255) COLLATE %EXACT, 
    "ElectoralName" VARCHAR(255) COLLATE %EXACT, 
    "Party" VARCHAR(30) COLLATE %EXACT, 
    "State" VARCHAR(2) COLLATE %EXACT, 
    "Legislature" INTEGER, 
    "PartiesJson" VARCHAR(4000) COLLATE %EXACT, 
    "ListingHash" VARCHAR(64) COLLATE %EXACT, 
    "SourceUrl" VARCHAR(1000) COLLATE %EXACT, 
    "SourceCollectedAt" TIMESTAMP, 
    "CreatedAt" TIMESTAMP NOT NULL, 
    "UpdatedAt" TIMESTAMP NOT NULL, 
    PRIMARY KEY ("Id"), 
    CONSTRAINT "CamaraDeputyKey" UNIQUE ("CamaraId")
) WITH %CLASSPARAMETER ALLOWIDENTITYINSERT = 1;

CREATE TABLE IRISPolitical_Model."Candidate" (
    "Id" IDENTITY NOT NULL, 
    "TseId" VARCHAR(40) COLLATE %EXACT NOT NULL, 
    "ElectionYear" INTEGER NOT NULL, 
    "CamaraDeputyId" INTEGER, 
    "Name" VARCHAR(255) COLLATE %EXACT NOT NULL, 
    "BallotName" VARCHAR(255) COLLATE %EXACT, 
    "SearchName" VARCHAR(520) COLLATE %EXACT, 
    "Party" VARCHAR(30) COLLATE %EXACT, 
    "PartyNumber" INTEGER, 
    "Office" VARCHAR(100) COLLATE %EXACT NOT NULL, 
    "State" VARCHAR(2) COLLATE %EXACT NOT NULL, 
    "CandidateNumber" INTEGER, 
    "MatchStatus" VARCHAR(20) COLLATE %EXACT, 
    "MatchConfidence" NUMERIC(5, 2), 
    "Round" INTEGER, 
    "RegistrationStatus" VARCHAR(100) COLLATE %EXACT, 
    "RoundResult" VARCHAR(100) COLLATE %EXACT, 
    "RemovedAtSource" BIT NOT NULL, 
    "SourceUrl" VARCHAR(1000) COLLATE %EXACT, 
    "SourceCollectedAt" TIMESTAMP, 
    "CreatedAt" TIMESTAMP NOT NULL, 
    "UpdatedAt" TIMESTAMP NOT NULL, 
    PRIMARY KEY ("Id"), 
    CONSTRAINT "CandidateKey" UNIQUE ("TseId", "ElectionYear")
) WITH %CLASSPARAMETER ALLOWIDENTITYINSERT = 1;

CREATE INDEX "CandidateDeputyIdx" ON IRISPolitical_Model."Candidate" ("CamaraDeputyId");

CREATE INDEX "CandidateOfficeIdx" ON IRISPolitical_Model."Candidate" ("Office", "State");

CREATE INDEX "CandidatePartyIdx" ON IRISPolitical_Model."Candidate" ("Party");

CREATE TABLE IRISPolitical_Model."EvaluationRun" (
    "Id" IDENTITY NOT NULL, 
    "RunKey" VARCHAR(36) COLLATE %EXACT NOT NULL, 
    "RunPartition" VARCHAR(10) COLLATE %EXACT NOT NULL, 
    "QuestionSet" VARCHAR(255) COLLATE %EXACT NOT NULL, 
    "QuestionSetHash" VARCHAR(64) COLLATE %EXACT NOT NULL, 
    "CorpusHash" VARCHAR(64) COLLATE %EXACT, 
    "EmbeddingModel" VARCHAR(255) COLLATE %EXACT, 
    "EmbeddingDimension" INTEGER, 
    "Status" VARCHAR(20) COLLATE %EXACT NOT NULL, 
    "FiguresJson" VARCHAR(32000) COLLATE %EXACT, 
    "StartedAt" TIMESTAMP NOT NULL, 
    "FinishedAt" TIMESTAMP, 
    PRIMARY KEY ("Id"), 
    CONSTRAINT "EvaluationRunKey" UNIQUE ("RunKey")
) WITH %CLASSPARAMETER ALLOWIDENTITYINSERT = 1;

CREATE TABLE IRISPolitical_Model."IngestionRun" (
    "Id" IDENTITY NOT NULL, 
    "RunKey" VARCHAR(36) COLLATE %EXACT NOT NULL, 
    "Source" VARCHAR(30) COLLATE %EXACT NOT NULL, 
    "RunPartition" VARCHAR(10) COLLATE %EXACT NOT NULL, 
    "StartedAt" TIMESTAMP NOT NULL, 
    "FinishedAt" TIMESTAMP, 
    "Status" VARCHAR(20) COLLATE %EXACT NOT NULL, 
    "RecordsRead" INTEGER NOT NULL, 
    "RecordsCreated" INTEGER NOT NULL, 
    "RecordsUpdated" INTEGER NOT NULL, 
    "RecordsSkipped" INTEGER NOT NULL, 
    "RecordsFailed" INTEGER NOT NULL, 
    "SourceHash" VARCHAR(64) COLLATE %EXACT, 
    "ErrorCode" VARCHAR(100) COLLATE %EXACT, 
    "ErrorMessage" VARCHAR(32000) COLLATE %EXACT, 
    "ParametersJson" VARCHAR(32000) COLLATE %EXACT, 
    "WorkJson" VARCHAR(32000) COLLATE %EXACT, 
    "ProcessKey" VARCHAR(200) COLLATE %EXACT, 
    PRIMARY KEY ("Id"), 
    CONSTRAINT "IngestionRunKey" UNIQUE ("RunKey")
) WITH %CLASSPARAMETER ALLOWIDENTITYINSERT = 1;

CREATE INDEX "IngestionRunStartIdx" ON IRISPolitical_Model."IngestionRun" ("StartedAt");

CREATE INDEX "IngestionRunStateIdx" ON IRISPolitical_Model."IngestionRun" ("Source", "RunPartition", "Status");

CREATE TABLE IRISPolitical_Model."NewsArticle" (
    "Id" IDENTITY NOT NULL, 
    "Fingerprint" VARCHAR(64) COLLATE %EXACT NOT NULL, 
    "TseId" VARCHAR(40) COLLATE %EXACT NOT NULL, 
    "Title" VARCHAR(500) COLLATE %EXACT, 
    "Url" VARCHAR(1000) COLLATE %EXACT NOT NULL, 
    "PublishedAt" VARCHAR(40) COLLATE %EXACT, 
    "BodyText" LONGVARCHAR, 
    "ManifestJson" LONGVARCHAR, 
    "CreatedAt" TIMESTAMP NOT NULL, 
    "UpdatedAt" TIMESTAMP NOT NULL, 
    PRIMARY KEY ("Id"), 
    CONSTRAINT "NewsArticleKey" UNIQUE ("Fingerprint")
) WITH %CLASSPARAMETER ALLOWIDENTITYINSERT = 1;

CREATE TABLE IRISPolitical_Model."PoliticalChunk" (
    "Id" IDENTITY NOT NULL, 
    "SourceType" VARCHAR(50) COLLATE %EXACT NOT NULL, 
    "SourceId" VARCHAR(100) COLLATE %EXACT NOT NULL, 
    "ChunkIndex" INTEGER NOT NULL, 
    "Title" VARCHAR(500) COLLATE %EXACT, 
    "Content" VARCHAR(32000) COLLATE %EXACT NOT NULL, 
    "SourceUrl" VARCHAR(1000) COLLATE %EXACT, 
    "MetadataJson" VARCHAR(32000) COLLATE %EXACT, 
    "ContentHash" VARCHAR(64) COLLATE %EXACT NOT NULL, 
    "Header" VARCHAR(1000) COLLATE %EXACT, 
    "EmbeddedTextHash" VARCHAR(64) COLLATE %EXACT NOT NULL, 
    "EmbeddingModel" VARCHAR(255) COLLATE %EXACT, 
    "EmbeddingDimension" INTEGER, 
    "TokenCount" INTEGER, 
    "SpanStart" INTEGER, 
    "SpanEnd" INTEGER, 
    "PageStart" INTEGER, 
    "PageEnd" INTEGER, 
    "SearchText" LONGVARCHAR, 
    "SearchTermCount" INTEGER, 
    "Embedding" VECTOR(DOUBLE, 1536), 
    "SourceCollectedAt" TIMESTAMP, 
    "CreatedAt" TIMESTAMP NOT NULL, 
    "UpdatedAt" TIMESTAMP NOT NULL, 
    PRIMARY KEY ("Id"), 
    CONSTRAINT "PoliticalChunkKey" UNIQUE ("SourceType", "SourceId", "ChunkIndex")
) WITH %CLASSPARAMETER ALLOWIDENTITYINSERT = 1;

CREATE INDEX "PoliticalChunkModelIdx" ON IRISPolitical_Model."PoliticalChunk" ("EmbeddingModel", "EmbeddingDimension");

CREATE INDEX "PoliticalChunkTextIdx" ON IRISPolitical_Model."PoliticalChunk" ("EmbeddedTextHash");

CREATE TABLE IRISPolitical_Model."PoliticalHistory" (
    "Id" IDENTITY NOT NULL, 
    "ExternalId" VARCHAR(100) COLLATE %EXACT NOT NULL, 
    "CamaraDeputyId" INTEGER NOT NULL, 
    "Institution" VARCHAR(50) COLLATE %EXACT NOT NULL, 
    "Position" VARCHAR(255) COLLATE %EXACT, 
    "Party" VARCHAR(30) COLLATE %EXACT, 
    "State" VARCHAR(2) COLLATE %EXACT, 
    "Municipality" VARCHAR(255) COLLATE %EXACT, 
    "StartDate" DATE, 
    "EndDate" DATE, 
    "DatePrecision" VARCHAR(10) COLLATE %EXACT, 
    "Situation" VARCHAR(255) COLLATE %EXACT, 
    "SourceUrl" VARCHAR(1000) COLLATE %EXACT, 
    "SourceCollectedAt" TIMESTAMP, 
    "RawJson" LONGVARCHAR, 
    "CreatedAt" TIMESTAMP NOT NULL, 
    "UpdatedAt" TIMESTAMP NOT NULL, 
    PRIMARY KEY ("Id"), 
    CONSTRAINT "PoliticalHistoryKey" UNIQUE ("ExternalId")
) WITH %CLASSPARAMETER ALLOWIDENTITYINSERT = 1;

CREATE INDEX "PoliticalHistoryDeputyIdx" ON IRISPolitical_Model."PoliticalHistory" ("CamaraDeputyId");

CREATE TABLE IRISPolitical_Model."ProposalDocument" (
    "Id" IDENTITY NOT NULL, 
    "DocumentHash" VARCHAR(64) COLLATE %EXACT NOT NULL, 
    "ElectionYear" INTEGER NOT NULL, 
    "Title" VARCHAR(500) COLLATE %EXACT, 
    "SourceUrl" VARCHAR(1000) COLLATE %EXACT NOT NULL, 
    "SourceResourceId" VARCHAR(100) COLLATE %EXACT, 
    "FileName" VARCHAR(500) COLLATE %EXACT, 
    "RawText" LONGVARCHAR, 
    "PageCount" INTEGER, 
    "TextStatus" VARCHAR(20) COLLATE %EXACT NOT NULL, 
    "ErrorCode" VARCHAR(100) COLLATE %EXACT, 
    "Engine" VARCHAR(50) COLLATE %EXACT, 
    "QualityJson" VARCHAR(32000) COLLATE %EXACT, 
    "OcrPages" VARCHAR(8000) COLLATE %EXACT, 
    "PageLabels" VARCHAR(32000) COLLATE %EXACT, 
    "SourceCollectedAt" TIMESTAMP, 
    "CreatedAt" TIMESTAMP NOT NULL, 
    "UpdatedAt" TIMESTAMP NOT NULL, 
    PRIMARY KEY ("Id"), 
    CONSTRAINT "ProposalDocumentKey" UNIQUE ("DocumentHash")
) WITH %CLASSPARAMETER ALLOWIDENTITYINSERT = 1;

CREATE TABLE IRISPolitical_Model."Proposition" (
    "Id" IDENTITY NOT NULL, 
    "CamaraId" INTEGER NOT NULL, 
    "Type" VARCHAR(30) COLLATE %EXACT, 
    "Number" INTEGER, 
    "Year" INTEGER, 
    "YearRepaired" BIT NOT NULL, 
    "Title" VARCHAR(500) COLLATE %EXACT, 
    "Summary" VARCHAR(12000) COLLATE %EXACT, 
    "DetailedSummary" VARCHAR(32000) COLLATE %EXACT, 
    "PresentationDate" DATE, 
    "Status" VARCHAR(500) COLLATE %EXACT, 
    "StatusAt" VARCHAR(30) COLLATE %EXACT, 
    "SourceUrl" VARCHAR(1000) COLLATE %EXACT, 
    "SourceCollectedAt" TIMESTAMP, 
    "CreatedAt" TIMESTAMP NOT NULL, 
    "UpdatedAt" TIMESTAMP NOT NULL, 
    PRIMARY KEY ("Id"), 
    CONSTRAINT "PropositionKey" UNIQUE ("CamaraId")
) WITH %CLASSPARAMETER ALLOWIDENTITYINSERT = 1;

CREATE INDEX "PropositionReferenceIdx" ON IRISPolitical_Model."Proposition" ("Type", "Number", "Year");

CREATE TABLE IRISPolitical_Model."AnswerEvidence" (
    "Id" IDENTITY NOT NULL, 
    "AnswerId" INTEGER NOT NULL, 
    "EvidenceKey" VARCHAR(10) COLLATE %EXACT NOT NULL, 
    "Cited" BIT NOT NULL, 
    "SourceType" VARCHAR(50) COLLATE %EXACT NOT NULL, 
    "SourceId" VARCHAR(100) COLLATE %EXACT NOT NULL, 
    "ChunkIndex" INTEGER, 
    "Title" VARCHAR(500) COLLATE %EXACT, 
    "SourceUrl" VARCHAR(1000) COLLATE %EXACT, 
    "PageStart" INTEGER, 
    "PageEnd" INTEGER, 
    "ContentHash" VARCHAR(64) COLLATE %EXACT, 
    "Passage" VARCHAR(32000) COLLATE %EXACT, 
    PRIMARY KEY ("Id"), 
    FOREIGN KEY("AnswerId") REFERENCES IRISPolitical_Model."Answer" ("Id"), 
    CONSTRAINT "AnswerEvidenceKey" UNIQUE ("AnswerId", "EvidenceKey")
) WITH %CLASSPARAMETER ALLOWIDENTITYINSERT = 1;

CREATE TABLE IRISPolitical_Model."EvaluationAnswer" (
    "Id" IDENTITY NOT NULL, 
    "EvaluationId" INTEGER NOT NULL, 
    "QuestionKey" VARCHAR(100) COLLATE %EXACT NOT NULL, 
    "AnswerKey" VARCHAR(36) COLLATE %EXACT, 
    "FiguresJson" VARCHAR(32000) COLLATE %EXACT, 
    PRIMARY KEY ("Id"), 
    FOREIGN KEY("EvaluationId") REFERENCES IRISPolitical_Model."EvaluationRun" ("Id"), 
    CONSTRAINT "EvaluationAnswerKey" UNIQUE ("EvaluationId", "QuestionKey")
) WITH %CLASSPARAMETER ALLOWIDENTITYINSERT = 1;

CREATE TABLE IRISPolitical_Model."MatchEvidence" (
    "Id" IDENTITY NOT NULL, 
    "CandidateId" INTEGER NOT NULL, 
    "CamaraDeputyId" INTEGER NOT NULL, 
    "Score" NUMERIC(5, 2) NOT NULL, 
    "Outcome" VARCHAR(20) COLLATE %EXACT NOT NULL, 
    "EvidenceJson" VARCHAR(8000) COLLATE %EXACT NOT NULL, 
    "CreatedAt" TIMESTAMP NOT NULL, 
    "UpdatedAt" TIMESTAMP NOT NULL, 
    PRIMARY KEY ("Id"), 
    FOREIGN KEY("CandidateId") REFERENCES IRISPolitical_Model."Candidate" ("Id"), 
    CONSTRAINT "MatchEvidenceKey" UNIQUE ("CandidateId", "CamaraDeputyId")
) WITH %CLASSPARAMETER ALLOWIDENTITYINSERT = 1;

CREATE TABLE IRISPolitical_Model."PropositionAuthor" (
    "Id" IDENTITY NOT NULL, 
    "PropositionId" INTEGER NOT NULL, 
    "AuthorKey" VARCHAR(100) COLLATE %EXACT NOT NULL, 
    "CamaraAuthorId" INTEGER, 
    "Name" VARCHAR(255) COLLATE %EXACT NOT NULL, 
    "AuthorType" VARCHAR(100) COLLATE %EXACT, 
    "Uri" VARCHAR(1000) COLLATE %EXACT, 
    "IsMainAuthor" BIT NOT NULL, 
    "SignatureOrder" INTEGER, 
    "CreatedAt" TIMESTAMP NOT NULL, 
    "UpdatedAt" TIMESTAMP NOT NULL, 
    PRIMARY KEY ("Id"), 
    FOREIGN KEY("PropositionId") REFERENCES IRISPolitical_Model."Proposition" ("Id"), 
    CONSTRAINT "PropositionAuthorKey" UNIQUE ("PropositionId", "AuthorKey")
) WITH %CLASSPARAMETER ALLOWIDENTITYINSERT = 1;

CREATE INDEX "PropositionAuthorDeputyIdx" ON IRISPolitical_Model."PropositionAuthor" ("CamaraAuthorId");

CREATE TABLE IRISPolitical_Model."PropositionTopic" (
    "Id" IDENTITY NOT NULL, 
    "PropositionId" INTEGER NOT NULL, 
    "ExternalCode" INTEGER, 
    "Name" VARCHAR(255) COLLATE %EXACT NOT NULL, 
    "CreatedAt" TIMESTAMP NOT NULL, 
    "UpdatedAt" TIMESTAMP NOT NULL, 
    PRIMARY KEY ("Id"), 
    FOREIGN KEY("PropositionId") REFERENCES IRISPolitical_Model."Proposition" ("Id"), 
    CONSTRAINT "PropositionTopicKey" UNIQUE ("PropositionId", "Name")
) WITH %CLASSPARAMETER ALLOWIDENTITYINSERT = 1;

CREATE TABLE IRISPolitical_Model."SourceCandidate" (
    "Id" IDENTITY NOT NULL, 
    "SourceType" VARCHAR(50) COLLATE %EXACT NOT NULL, 
    "SourceId" VARCHAR(100) COLLATE %EXACT NOT NULL, 
    "CandidateId" INTEGER NOT NULL, 
    "LinkRole" VARCHAR(30) COLLATE %EXACT, 
    "FileName" VARCHAR(500) COLLATE %EXACT, 
    "CreatedAt" TIMESTAMP NOT NULL, 
    "UpdatedAt" TIMESTAMP NOT NULL, 
    PRIMARY KEY ("Id"), 
    FOREIGN KEY("CandidateId") REFERENCES IRISPolitical_Model."Candidate" ("Id"), 
    CONSTRAINT "SourceCandidateKey" UNIQUE ("SourceType", "SourceId", "CandidateId")
) WITH %CLASSPARAMETER ALLOWIDENTITYINSERT = 1;

CREATE INDEX "SourceCandidateCandidateIdx" ON IRISPolitical_Model."SourceCandidate" ("CandidateId");

CREATE INDEX ChunkTextIdx ON TABLE IRISPolitical_Model."PoliticalChunk" ("SearchText") AS %iFind.Index.Basic(LANGUAGE='pt', LOWER=1, INDEXOPTION=0);

INSERT INTO IRISPolitical_Model.alembic_version (version_num) VALUES ('0001');

-- Running upgrade 0001 -> 0002

UPDATE IRISPolitical_Model.alembic_version SET version_num='0002' WHERE IRISPolitical_Model.alembic_version.version_num = '0001';

-- Running upgrade 0002 -> 0003

ALTER TABLE IRISPolitical_Model."Proposition" ADD COLUMN "AuthorTotal" INTEGER;

ALTER TABLE IRISPolitical_Model."SourceCandidate" ADD COLUMN "Title" VARCHAR(500) COLLATE %EXACT;

ALTER TABLE IRISPolitical_Model."SourceCandidate" ADD COLUMN "SourceUrl" VARCHAR(1000) COLLATE %EXACT;

ALTER TABLE IRISPolitical_Model."SourceCandidate" ADD COLUMN "SourceCollectedAt" TIMESTAMP;

ALTER TABLE IRISPolitical_Model."Answer" ADD COLUMN "OpenedAt" TIMESTAMP;

UPDATE IRISPolitical_Model.alembic_version SET version_num='0003' WHERE IRISPolitical_Model.alembic_version.version_num = '0002';

-- Running upgrade 0003 -> 0004

ALTER TABLE IRISPolitical_Model."NewsArticle" ADD COLUMN "FetchedAt" VARCHAR(40) COLLATE %EXACT;

ALTER TABLE IRISPolitical_Model."NewsArticle" ADD COLUMN "Status" VARCHAR(20) COLLATE %EXACT;

ALTER TABLE IRISPolitical_Model."NewsArticle" ADD COLUMN "StatusReason" VARCHAR(500) COLLATE %EXACT;

ALTER TABLE IRISPolitical_Model."NewsArticle" ADD COLUMN "ReplacedBy" VARCHAR(64) COLLATE %EXACT;

ALTER TABLE IRISPolitical_Model."NewsArticle" ADD COLUMN "Correction" VARCHAR(1000) COLLATE %EXACT;

UPDATE IRISPolitical_Model.alembic_version SET version_num='0004' WHERE IRISPolitical_Model.alembic_version.version_num = '0003';

-- Running upgrade 0004 -> 0005

ALTER TABLE IRISPolitical_Model."Candidate" ADD COLUMN "ElectoralUnit" VARCHAR(10) COLLATE %EXACT;

ALTER TABLE IRISPolitical_Model."Candidate" ADD COLUMN "ElectoralUnitName" VARCHAR(100) COLLATE %EXACT;

CREATE TABLE IRISPolitical_Model."CandidateChange" (
    "Id" IDENTITY NOT NULL, 
    "TseId" VARCHAR(40) COLLATE %EXACT NOT NULL, 
    "ElectionYear" INTEGER NOT NULL, 
    "Field" VARCHAR(50) COLLATE %EXACT NOT NULL, 
    "ValueBefore" VARCHAR(255) COLLATE %EXACT, 
    "ValueAfter" VARCHAR(255) COLLATE %EXACT, 
    "RunKey" VARCHAR(36) COLLATE %EXACT NOT NULL, 
    "ChangedAt" TIMESTAMP NOT NULL, 
    PRIMARY KEY ("Id"), 
    CONSTRAINT "CandidateChangeKey" UNIQUE ("TseId", "ElectionYear", "Field", "RunKey")
) WITH %CLASSPARAMETER ALLOWIDENTITYINSERT = 1;

CREATE INDEX "CandidateChangeTimeIdx" ON IRISPolitical_Model."CandidateChange" ("ChangedAt");

UPDATE IRISPolitical_Model.alembic_version SET version_num='0005' WHERE IRISPolitical_Model.alembic_version.version_num = '0004';

-- Running upgrade 0005 -> 0006

UPDATE IRISPolitical_Model.alembic_version SET version_num='0006' WHERE IRISPolitical_Model.alembic_version.version_num = '0005';

-- Running upgrade 0006 -> 0007

ALTER TABLE IRISPolitical_Model."IngestionRun" ADD COLUMN "ElectionYear" INTEGER;

UPDATE IRISPolitical_Model.alembic_version SET version_num='0007' WHERE IRISPolitical_Model.alembic_version.version_num = '0006';

-- after the load, on a connection of its own:
CREATE INDEX ChunkVectorIdx ON TABLE IRISPolitical_Model."PoliticalChunk" ("Embedding") AS HNSW(M=16, efConstruction=64, Distance='Cosine');
