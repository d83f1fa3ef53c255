"""Where the columns of each asset come from: the court's columns, the Câmara's fields, the columns of earlier stages."""

from typing import Any, Final

import dagster as dg

# Stage → column → (asset, column) that it is made from.
LINEAGE: Final[dict[str, dict[str, tuple[tuple[str, str], ...]]]] = {
    "candidates": {
        column: (("tse_candidate_files", source),)
        for column, source in {
            "TseId": "SQ_CANDIDATO", "ElectionYear": "ANO_ELEICAO", "Name": "NM_CANDIDATO",
            "BallotName": "NM_URNA_CANDIDATO", "Party": "SG_PARTIDO", "PartyNumber": "NR_PARTIDO", "Office": "DS_CARGO",
            "State": "SG_UF", "ElectoralUnit": "SG_UE", "ElectoralUnitName": "NM_UE", "CandidateNumber": "NR_CANDIDATO",
            "Round": "NR_TURNO", "RegistrationStatus": "DS_SITUACAO_CANDIDATURA", "RoundResult": "DS_SIT_TOT_TURNO",
        }.items()
    },
    "camara": {
        column: (("camara_open_data", source),)
        for column, source in {
            "CamaraId": "id", "Type": "siglaTipo", "Number": "numero", "Year": "ano", "Summary": "ementa",
            "DetailedSummary": "ementaDetalhada", "PresentationDate": "dataApresentacao",
            "Status": "statusProposicao", "StatusAt": "statusProposicao",
        }.items()
    },
    "chunks": {
        "SourceId": (("proposals", "DocumentHash"), ("camara", "CamaraId")),
        "Title": (("proposals", "Title"), ("camara", "Title")),
        "Content": (("proposals", "RawText"), ("camara", "Summary"), ("camara", "DetailedSummary"), ("camara", "Status")),
        "Header": (("candidates", "BallotName"), ("candidates", "Party"), ("candidates", "Office"), ("candidates", "State")),
        "PageStart": (("proposals", "RawText"),),
        "PageEnd": (("proposals", "RawText"),),
        "SourceUrl": (("proposals", "SourceUrl"), ("camara", "SourceUrl")),
    },
    "embeddings": {"Embedding": (("chunks", "Header"), ("chunks", "Content"))},
}  # fmt: skip


def column_lineage(stage: str) -> dict[str, Any]:
    """Metadata of a materialisation; nothing for a stage without."""
    found = LINEAGE.get(stage)
    if found is None:
        return {}
    deps = {
        column: [dg.TableColumnDep(asset_key=dg.AssetKey(asset), column_name=name) for asset, name in sources]
        for column, sources in found.items()
    }
    return {"dagster/column_lineage": dg.TableColumnLineage(deps_by_column=deps)}
