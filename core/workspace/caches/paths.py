"""Where the files of a store lie on disk, beside its database.

All paths are below the store's home folder. Everything but the factors and the analyst's own
vectors can be made again from the database, so a file that is missing or cannot be read is made
anew.

================================= ======================== ======================= ===============
File                              Holds                    Made by, read by        Dropped
================================= ======================== ======================= ===============
cache/<matrix>.npz                document-term matrix     matrices; every fit     never [1]_
cache/<matrix>.outline.npz        which documents are      queue_hints; the queue  never [1]_
                                  nearly the same
cache/<corpus>-<encoder>          document vectors         vectors; every fit,     never [1]_
.vectors.npz                                               search
cache/<corpus>.facts.npz          dates, classes and       measures; pages         never [1]_
                                  given labels
cache/hints/<project>-<run>.npz   hints of the guide       queue_hints; the queue  by the next run
cache/coherence/<project>-<run>   coherence of the topics  measures; Topics page   20 runs later
.npy
cache/new-texts/<project>/        files to read, and the   new_texts; Corpus page  by newer ones
                                  tables made of them
cache/models/<project>-<run>      model for new texts      fitted_models; predict  3 runs later
.tsnmf
cache/reports/<project>/<key>     a large report as a file reports; Report page    by the next one
reports/<project>/issued.json     what reports showed      store.runs              by newer ones
                                                           .issued_reports         [2]_
maps/<project>/<run>.json         places of the topics     maps; Topics page       20 runs later
maps/<project>/<run>.npz          map by neighbours        maps; Topics page       20 runs later
selections/<project>/<key>.json   documents of a link      label.selections; Label after 200 more
                                                           page
vectors/<project>/<fingerprint>   the analyst's own        store.projects          by newer ones
.npz                              document vectors         .own_vectors            [2]_
factors/<project>/<run>.npz       topics of a run          store.runs.factors      [2]_
scores/<project>/                 evaluations of runs      store.runs.evaluations  [2]_
comparisons/<project>/<number>/   comparisons and topics   store.runs.comparisons  [2]_
================================= ======================== ======================= ===============

.. [1] Safe to delete while nothing runs.
.. [2] The module that makes them says when; the store copies them along with a project.

Whatever is named after a run goes with that run: a preview's when the full fit takes its place.


``<matrix>`` names a corpus and text settings (``matrices.matrix_key``), ``<corpus>`` a corpus.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from core.store import Project, Store


def matrix_path(store: Store, matrix_key: str) -> Path:
    return _cache(store) / f"{matrix_key}.npz"


def neighbour_index_path(store: Store, matrix_key: str) -> Path:
    return _cache(store) / f"{matrix_key}.outline.npz"


def vectors_path(store: Store, name: str) -> Path:
    return _cache(store) / f"{name}.vectors.npz"


def facts_path(store: Store, project: Project) -> Path:
    name = f"{project.fingerprint}-{project.n_docs}{_roles(project)}"
    if project.texts_revision:  # dates and other columns may have been updated, too
        name = f"{name}-{project.id}-{project.texts_revision}"
    return _cache(store) / f"{name}.facts.npz"


def _roles(project: Project) -> str:
    """Another name where columns are taken for something else than at first."""
    roles = json.dumps(sorted(project.settings.column_roles.items()))
    digest = hashlib.blake2b(roles.encode(), digest_size=6).hexdigest()
    return f"-{digest}" if project.settings.column_roles else ""


def hints_path(store: Store, project: int, run: int) -> Path:
    return _cache(store) / "hints" / f"{project}-{run}.npz"


def coherence_path(store: Store, project: int, run: int) -> Path:
    return _cache(store) / "coherence" / f"{project}-{run}.npy"


def model_path(store: Store, project: int, run: int) -> Path:
    return _cache(store) / "models" / f"{project}-{run}.tsnmf"


def new_texts_path(store: Store, project: int, name: str) -> Path:
    return _cache(store) / "new-texts" / str(int(project)) / name


def topic_places_path(store: Store, project: int, run: int) -> Path:
    return Path(store.home) / "maps" / str(project) / f"{run}.json"


def neighbour_map_path(store: Store, project: int, run: int) -> Path:
    return Path(store.home) / "maps" / str(project) / f"{run}.npz"


def report_path(store: Store, project: int, name: str) -> Path:
    return _cache(store) / "reports" / str(int(project)) / name


def drop_reports_of(store: Store, project: int, suffix: str) -> None:
    """Drop earlier files of a report that end in this way."""
    for path in report_path(store, project, "").glob(f"*{suffix}"):
        path.unlink(missing_ok=True)


def selections_folder(home: Path | str, project: int) -> Path:
    return Path(home) / "selections" / str(int(project))


def _cache(store: Store) -> Path:
    return Path(store.home) / "cache"


def drop_files_of_run(store: Store, project: int, run: int) -> None:
    """Drop what was made for a run that is gone."""
    made_for_runs = (
        hints_path,
        coherence_path,
        model_path,
        topic_places_path,
        neighbour_map_path,
    )
    for path_of in made_for_runs:
        path_of(store, project, run).unlink(missing_ok=True)


def drop_older_runs(path: Path, keep: int) -> None:
    """Drop the files of earlier runs beside this one, but for the newest ``keep``.

    Files are named ``<run>`` or ``<project>-<run>``; those of other projects stay.
    """
    project, dash, _ = path.stem.rpartition("-")
    beside = path.parent.glob(f"{project}{dash}*{path.suffix}")
    numbered = ((each.stem.removeprefix(project + dash), each) for each in beside)
    runs = sorted((int(number), each) for number, each in numbered if number.isdecimal())
    for _, older in runs[: max(0, len(runs) - keep)]:
        older.unlink(missing_ok=True)
