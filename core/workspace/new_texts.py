"""New texts through a project's model: the job behind the app's panel, and the table it writes."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from core.errors import Cancelled
from core.loading.sources import source_name
from core.store import Store
from core.values import whole_file
from core.workspace import intake
from core.workspace.caches.paths import new_texts_path
from core.workspace.fitted_models import model_of, wordless_sentence, write_predictions

SHOWN_TEXTS = 100  # first texts that the page shows
READ_SHARE = 0.2  # of the work: reading the file
FILES_KEPT = 6  # of a project: files that wait to be read, and tables
UPLOAD_ENDING, TABLE_ENDING = ".upload", ".csv"


@dataclass(frozen=True, slots=True)
class PredictedTexts:
    """What came of a file of new texts."""

    table: str  # where the CSV file lies
    file: str  # as the analyst calls it
    run: int
    n_texts: int
    notes: tuple[str, ...]
    first: tuple[Mapping[str, Any], ...]  # the first rows
    author: str = ""  # who asked; nobody else is shown the texts


def keep_upload(store: Store, project: int, data: bytes) -> str:
    """Put a file where the job finds it; where it is.

    Each under a name of its own: two people may ask at the same time.
    """
    store.project(project)  # refuses whoever may not read it
    path = new_texts_path(store, project, f"{secrets.token_hex(8)}{UPLOAD_ENDING}")
    with whole_file(path) as file:
        file.write(data)
    _drop_oldest(path.parent)
    return str(path)


def _drop_oldest(folder: Path) -> None:
    """Drop tables that nobody may want any more, and files whose job was overtaken."""
    found = [path for path in folder.iterdir() if path.suffix in (UPLOAD_ENDING, TABLE_ENDING)]
    with suppress(FileNotFoundError):  # another server drops them, too
        for path in sorted(found, key=lambda each: each.stat().st_mtime_ns)[:-FILES_KEPT]:
            path.unlink(missing_ok=True)


def predict_texts(
    store: Store, project_id: int, arguments: Mapping[str, Any], tell: Callable[[float], bool]
) -> PredictedTexts:
    """Read the uploaded file, ask the model of the last full fit, write the table."""
    project, upload = store.project(project_id), Path(arguments["upload"])
    model, run = model_of(store, project), store.resting_run(project_id)
    assert run is not None
    name = str(arguments.get("name") or source_name(upload))
    more_text = intake.there(arguments.get("more_text", ()), upload, filename=name)
    asked = intake.AskedColumns(
        text=arguments.get("text"), more_text=more_text, date="", labels="", side=()
    )
    read = intake.read_file(upload, asked, filename=name)
    upload.unlink(missing_ok=True)
    _go_on(tell, READ_SHARE)
    path = new_texts_path(store, project_id, upload.stem + TABLE_ENDING)
    done = (1 - READ_SHARE) / max(len(read.corpus), 1)
    wordless = write_predictions(
        model, read.corpus, path, progress=lambda n, of: _go_on(tell, READ_SHARE + done * n)
    )
    first = next(model.blocks(_head(read)), None)
    rows = () if first is None else _rows(read, first)
    notes = (*read.sentences(), model.meaning_note, wordless_sentence(wordless))
    sentences = tuple(filter(None, notes))
    author = str(arguments.get("author") or "")
    return PredictedTexts(str(path), name, run.id, len(read.corpus), sentences, rows, author)


def _go_on(tell: Callable[[float], bool], share: float) -> None:
    if tell(share):
        raise Cancelled("The texts were not read to the end; nothing was changed.")


def _head(read: intake.ReadFile) -> list[str]:
    return list(read.corpus.texts[:SHOWN_TEXTS])


def _rows(read: intake.ReadFile, block: Any) -> tuple[Mapping[str, Any], ...]:
    about = block[[name for name in block.columns if not name.startswith("share of ")]]
    records = about.to_dict(orient="records")
    documents = islice(read.corpus, SHOWN_TEXTS)
    return tuple(
        {"id": document.id, "text": document.text, **row}
        for document, row in zip(documents, records, strict=True)
    )
