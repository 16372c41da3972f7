"""The parts of a project's file as values that this program could have written itself."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

from core.corpus import Reading
from core.errors import StoreError
from core.evaluation.comparison import Comparison, RateStudy
from core.models import MODELS
from core.spec import ModelSpec
from core.store.events.checks import checked_name, whole
from core.store.events.origin import Origin
from core.store.files.field_types import fits, require, require_fields
from core.store.projects.documents import reading_of
from core.store.runs.comparisons import ComparisonSummary
from core.store.runs.issued_reports import IssuedReport, IssuedTopic
from core.store.runs.outcome import OperationVerdict, RefitChange, RunOutcome, RunScores
from core.store.values import COLUMN_ROLES, MEANING_SETTINGS, ProjectSettings
from core.text import LANGUAGES, TextSettings

CLOCKS_DIFFER_BY = timedelta(days=1)
UNIX_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MOST_TOPICS = 10_000
MOST_STEPS = 20_000  # of a fit: one is made at a time, and everybody waits for it
MOST_OF_OPTION = {"parts": 100, "n_chains": 100}  # of other options at most as many as steps
SEVERAL_NUMBERS = "parts"  # the one option with a number for each label
GIVEN_BESIDE_OPTIONS = ("n_topics", "random_state")  # a model cannot be given them twice
MOST_SEED = 2**32 - 1
SPEC_BEYOND_LIMITS = (
    f"A project's model takes at most {MOST_STEPS:,} steps, {MOST_OF_OPTION['parts']} parts or "
    f"chains, {MOST_TOPICS:,} topics, a seed from 0 to {MOST_SEED:,}, and options that it knows."
)
Plain = str | int | float | bool | None


def checked_time(text: Any) -> datetime:
    """A moment between 1970 and tomorrow."""
    require(type(text) is str)
    time = datetime.fromisoformat(text)
    require(time.tzinfo is not None and UNIX_EPOCH <= time <= datetime.now(UTC) + CLOCKS_DIFFER_BY)
    return time.astimezone(UTC)


def checked_moment(count: Any) -> datetime:
    """The same from microseconds, as the database keeps them."""
    require(type(count) is int and abs(count) < 2**55)
    return checked_time((UNIX_EPOCH + timedelta(microseconds=count)).isoformat())


def checked_project(row: Mapping[str, Any], *, own_vectors: bool) -> dict[str, Any]:
    """The row of a project, but for what follows from its documents and events."""
    number, last_run = whole(row["id"], "A project"), whole(row["last_run"], "A run")
    require(number > 0)
    return {
        "id": number,
        "name": checked_name(row["name"], "A project"),
        "author": Origin(row["author"]).checked().author,
        "created": checked_moment(row["created"]),
        "deleted": None if row["deleted"] is None else checked_moment(row["deleted"]),
        "last_act": checked_moment(row["last_act"]),
        "settings": checked_settings(row["settings"], own_vectors=own_vectors).to_dict(),
        "reading": asdict(checked_reading(row["reading"])),
        "side": row["side"],
        "last_run": last_run,
        "fingerprint": "",
        "n_docs": 0,
    }


def checked_settings(values: Any, *, own_vectors: bool) -> ProjectSettings:
    """Settings of a project, of every type right and within bounds.

    They cannot name a folder of this machine to load models from, nor vectors that the file does
    not hold.
    """
    require(isinstance(values, dict))
    require_fields(ProjectSettings, {k: v for k, v in values.items() if k not in ("text", "spec")})
    require_fields(TextSettings, values["text"])
    require(values["text"].get("language", "en") in LANGUAGES)  # else pages could not be drawn
    checked_spec(values["spec"])
    require(0 <= values.get("n_free", 0) <= MOST_TOPICS)
    require(all(fits(each, Plain) for each in values.get("columns", {}).values()))
    require(all(each in COLUMN_ROLES for each in values.get("column_roles", {}).values()))
    meaning = values.get("meaning", "auto")
    known = meaning in MEANING_SETTINGS and (meaning != "own" or own_vectors)
    return ProjectSettings.from_dict({**values, "meaning": meaning if known else "auto"})


def require_storable(spec: ModelSpec) -> None:
    """Refuse a model that no file of the project could bring back."""
    try:
        checked_spec(spec.to_dict())
    except StoreError:
        raise StoreError(SPEC_BEYOND_LIMITS) from None


def checked_spec(values: Any) -> ModelSpec:
    """A model that exists, with options of the types it takes."""
    require_fields(ModelSpec, {k: v for k, v in values.items() if k != "options"})
    options = values.get("options", {})
    require(values.get("model", "tsnmf") in MODELS and isinstance(options, dict))
    n_topics = values.get("n_topics")
    require(n_topics is None or 0 < n_topics <= MOST_TOPICS)
    require(0 <= values.get("random_state", 0) <= MOST_SEED)
    taken = inspect.signature(MODELS[values.get("model", "tsnmf")]).parameters
    for name, value in options.items():
        most = MOST_OF_OPTION.get(name, MOST_STEPS)
        require(name not in GIVEN_BESIDE_OPTIONS)
        if name in taken:
            require(_like_default(name, value, taken[name].default, most))
        else:  # of an earlier version: no page shows it
            require(_is_plain_or_several(value, most))
    return ModelSpec.from_dict(values)


def _like_default(name: str, value: Any, default: Any, most: int) -> bool:
    """A choice is a text, a switch a yes or no; nothing only where nothing is the default.

    The pages count with what is no text. A whole number is at most ``most``, so that a fit comes to
    an end.
    """
    if isinstance(default, bool):
        return type(value) is bool
    if value is None:
        return default is None
    return _is_plain_or_several(value, most) if name == SEVERAL_NUMBERS else _is_plain(value, most)


def _is_plain_or_several(value: Any, most: int) -> bool:
    if isinstance(value, dict | list):  # sizes by label, ranges
        inner = list(value.values()) if isinstance(value, dict) else value
        return all(_is_plain(each, most) for each in inner)
    return _is_plain(value, most)


def _is_plain(value: Any, most: int) -> bool:
    return fits(value, Plain) and (type(value) is not int or value <= most)


def checked_reading(values: Any) -> Reading:
    """How the corpus was read."""
    return reading_of(require_fields(Reading, values) if values else {})


def checked_outcome(values: Any) -> RunOutcome:
    """What a run tells about itself."""
    require_fields(RunScores, values)
    change, verdicts, begun = (values.get(name) for name in ("change", "honoured", "begun"))
    if change:
        require_fields(RefitChange, change)
    for verdict in verdicts or ():
        require_fields(OperationVerdict, verdict)
    require(fits(begun or {}, Mapping[str, int]) and fits(values.get("vectors"), str | None))
    return RunOutcome.from_dict(values)


def checked_run(line: Any, *, own_vectors: bool) -> dict[str, Any]:
    """The values of a run's row, but for the project."""
    require(isinstance(line, dict) and type(line["automatic"]) is bool)
    require(fits(line["seconds"], float) and 0 <= line["seconds"] < 1e9)
    number = whole(line["id"], "A run")
    require(number > 0)
    return {
        "id": number,
        "revision": whole(line["revision"], "A run's last event"),
        "spec": checked_spec(line["spec"]).to_dict(),
        "settings": checked_settings(line["settings"], own_vectors=own_vectors).to_dict(),
        "topic_ids": [whole(topic, "A topic") for topic in line["topic_ids"]],
        "scores": checked_outcome(line["scores"]).to_dict(),
        "seconds": float(line["seconds"]),
        "finished": checked_time(line["finished"]),
        "automatic": line["automatic"],
    }


def require_run_of_log(run: Mapping[str, Any], revision: int, last_topic: int) -> None:
    """A run names events and topics that are on the log."""
    require(run["revision"] <= revision)
    require(all(0 < topic <= last_topic for topic in run["topic_ids"]))


def checked_seeds(values: Any) -> dict[str, Any]:
    """A comparison of random seeds as ``evaluations.save_seeds`` writes it."""
    numbers = ("run", "labelled", "seeds")
    require(isinstance(values, dict) and all(type(values[name]) is int for name in numbers))
    pairs = tuple[float | None, ...]
    require(all(fits(values[name], pairs) for name in ("words", "documents")))
    require(fits(values["scores"], Mapping[str, pairs]))
    known = (*numbers, "words", "documents", "scores")
    finished = checked_time(values["finished"]).isoformat()
    return {**{name: values[name] for name in known}, "finished": finished}


def checked_issued_report(line: Any) -> dict[str, Any]:
    """A report that was made, as ``issued_reports`` writes it."""
    require(isinstance(line, dict) and fits(line["score"], str))
    numbers = [line[name] for name in ("run", "n_documents", "n_labelled")]
    require(all(type(number) is int and 0 <= number < 2**31 for number in numbers))
    require(fits(line["topics"], Mapping[str, IssuedTopic]))
    require(all(0 <= topic["share"] <= 1 for topic in line["topics"].values()))
    made = checked_time(line["made"]).isoformat()
    return IssuedReport.from_dict({**line, "made": made}).to_dict()


def checked_comparison(line: Any, n_docs: int) -> dict[str, Any]:
    """A comparison as ``comparisons.export_lines`` writes it."""
    about, found = line["about"], line["found"]
    require_fields(ComparisonSummary, {k: v for k, v in about.items() if k != "made"})
    known = {name: about[name] for name in ComparisonSummary.__dataclass_fields__ if name in about}
    made = checked_time(about["made"]).isoformat()
    if about["kind"] == "rates":
        require_fields(RateStudy, found)
        return {"about": {**known, "made": made}, "found": RateStudy.from_dict(found).to_dict()}
    require(about["kind"] == "models")
    for entry in found["entries"]:
        checked_spec(entry["spec"])
        require(fits(entry["scores"], Mapping[str, tuple[float | None, ...]]))
        require(fits(entry["agreement"], float | None) and fits(entry["run"], int | None))
        require(fits(entry["intervals"], Mapping[str, tuple[float, float]]))
    compared = Comparison.from_dict(found)
    require(type(compared.judge) is str)
    if not compared.is_consistent(n_docs):
        raise StoreError("A comparison in this file names texts that do not exist.")
    return {"about": {**known, "made": made}, "found": compared.to_dict()}
