"""Names that an argument may have, known before the engine is loaded.

The engine's own tables say what they mean; a test keeps these lists the same as those.
"""

from __future__ import annotations

MODEL_NAMES = (
    *("nmf", "tsnmf", "ssnmf", "nmf_alpha", "cnmf"),
    *("vbnmf", "supervised_vbnmf", "pfa", "pfa_ssi", "lda"),
)
PAPER_NAMES = ("tsnmf", "ssnmf", "pfa_ssi", "nmf_alpha", "supervised_vbnmf")
LANGUAGE_CODES = (
    *("ar", "bg", "ca", "cs", "da", "de", "el", "en", "eo", "es", "et", "fa", "fi"),
    *("fr", "ga", "gl", "he", "hi", "hr", "hu", "id", "it", "la", "lt", "lv"),
    *("ms", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "sw", "tr", "uk"),
)
REPORT_SUFFIXES = {
    "html": ".html",
    "xlsx": ".xlsx",
    "pptx": ".pptx",
    "docx": ".docx",
    "md": ".md",
    "json": ".json",
    "csv": ".csv",
    "csv-long": ".long.csv",
    "jsonl": ".jsonl",
    "jsonl-long": ".long.jsonl",
    "parquet": ".parquet",
    "parquet-long": ".long.parquet",
}
AUDIENCES = ("team", "others", "public")  # of a report: who will read it
PROJECT_SUFFIX, MODEL_SUFFIX, CARD_SUFFIX = ".zip", ".tsnmf", ".card.md"
EXPORT_SUFFIXES = (PROJECT_SUFFIX, MODEL_SUFFIX, CARD_SUFFIX, *REPORT_SUFFIXES.values())
