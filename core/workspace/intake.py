"""From a file to a project: one reading path for the app, the command line and the notebook.

Look at the first rows, decide which column is what, read, and plan the project: the same guesses,
the same language, the same topics, whoever asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from core.corpus import ColumnRoles, Corpus
from core.errors import CorpusError, ModelError
from core.evaluation.recommendation import free_topics
from core.loading import Preview, preview, read_corpus
from core.loading.columns.misspellings import Misspelling, likely_misspellings
from core.loading.sources import Source
from core.spec import ModelSpec
from core.text import LANGUAGES, TextSettings
from core.text.language import guess_language, second_language
from core.values import count, percent
from core.workspace.projects import NewProject, Use

TOPICS_WITHOUT_LABELS = 10  # free topics of a project in which nobody has named any
NO_COLUMN = ""  # asked for in place of a column: there is none
LISTED_ROWS = 5  # of rows that were left out


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How a file is to be read: what was guessed, or what the person chose instead."""

    columns: ColumnRoles
    encoding: str | None = None
    delimiter: str | None = None
    min_characters: int = 1
    date_format: str | None = None  # where day and month could be swapped; None: guess
    strip_html: bool = False
    join_spellings: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedColumns:
    """What a person says about columns; None: guess, "": there is none."""

    text: str | None = None
    more_text: tuple[str, ...] = ()  # joined with that of the text
    id: str | None = None
    date: str | None = None
    labels: str | None = None
    side: tuple[str, ...] | None = None
    label_separator: str | None = None

    def roles(self, shown: Preview, file: str) -> ColumnRoles:
        """The guesses of a preview, replaced by what was asked for."""
        asked = {name: getattr(self, name) for name in ("text", "id", "date", "labels")}
        self._require(shown.header, [*asked.values(), *self.more_text, *(self.side or ())], file)
        taken = {name for name in (*asked.values(), *self.more_text) if name}
        chosen: dict[str, str | None] = {}
        for role, name in asked.items():
            guess = getattr(shown.columns, role)
            free = guess if guess not in taken else None
            chosen[role] = free if name is None else name or None
        if chosen["text"] is None:
            raise CorpusError("no column holds text; say which one to read.", file=file)
        guessed = shown.columns.side if self.side is None else self.side
        more = tuple(name for name in self.more_text if name not in chosen.values())
        used = {*chosen.values(), *more}
        return ColumnRoles(
            **chosen,
            more_text=more,
            side=tuple(name for name in guessed if name not in used),
            label_separator=self._separator(shown.columns),
        )

    def _separator(self, guess: ColumnRoles) -> str | None:
        if self.label_separator is not None:
            return self.label_separator or None
        return guess.label_separator

    @staticmethod
    def _require(header: Sequence[str], names: Iterable[str | None], file: str) -> None:
        for name in names:
            if name and name not in header:
                there = ", ".join(f"“{known}”" for known in header[:12])
                raise CorpusError(f"there is no column “{name}”; the file has {there}.", file=file)


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A corpus and what there is to say about how it was read."""

    corpus: Corpus
    header: tuple[str, ...]
    vector_column: str | None = None  # holds lists of numbers that say what each text means

    @property
    def unused(self) -> tuple[str, ...]:
        """Columns that nothing was made of."""
        columns = self.corpus.reading.columns
        used = {*columns.texts, columns.id, columns.date, columns.labels, *columns.side}
        used.add(self.vector_column)
        return tuple(name for name in self.header if name not in used)

    def sentences(self) -> Iterator[str]:
        """Guesses, rows that were left out, columns that are not used."""
        reading = self.corpus.reading
        how = ", ".join(part for part in (reading.encoding, _delimiter(reading.delimiter)) if part)
        read = f"{count(len(self.corpus), 'text')} read from {reading.source}"
        yield f"{read} ({how})." if how else f"{read}."
        yield f"Columns: {', '.join(_roles(reading.columns))}."
        if reading.columns.side:
            yield f"Kept with each text: {', '.join(reading.columns.side)}."
        if self.vector_column:
            yield f"Vectors of the texts: “{self.vector_column}”."
        if self.unused:
            yield f"Not used: {', '.join(self.unused)}."
        if reading.dropped:
            why = ", ".join(f"{reason} ({n:,})" for reason, n in reading.reasons())
            rows = ", ".join(f"{entry.row:,}" for entry in reading.dropped[:LISTED_ROWS])
            more = ", …" if len(reading.dropped) > LISTED_ROWS else ""
            which = "row" if len(reading.dropped) == 1 else "rows"
            yield f"{count(len(reading.dropped), 'row')} left out: {why}; {which} {rows}{more}."
        if reading.duplicates:
            yield f"Copies of earlier texts, which are kept: {len(reading.duplicates):,}."
        yield from reading.notes


def there(names: Sequence[str], source: Source, *, filename: str | None = None) -> tuple[str, ...]:
    """The columns of these names that a file has; it is looked at only if there are names."""
    if not names:
        return ()
    header = preview(source, filename=filename).header
    return tuple(name for name in names if name in header)


def read_file(
    source: Source,
    asked: AskedColumns,
    *,
    filename: str | None = None,
    strip_html: bool | None = None,
) -> ReadFile:
    """Read a file as the app would with these choices; None: HTML is removed if there is any."""
    shown = preview(source, filename=filename)
    name = filename or str(source if isinstance(source, str) else getattr(source, "name", "file"))
    roles = asked.roles(shown, name)
    if strip_html is None:
        strip_html = any(name in shown.html_columns for name in roles.texts)
    corpus = read_as(source, ReadingOptions(roles, strip_html=strip_html), filename=filename)
    return ReadFile(corpus, shown.header, next(iter(shown.vector_columns), None))


def read_as(source: Source, options: ReadingOptions, *, filename: str | None = None) -> Corpus:
    """Read a file whose columns' roles are decided."""
    columns = options.columns
    return read_corpus(
        source,
        filename=filename,
        text=columns.text,
        more_text=columns.more_text,
        id=columns.id or NO_COLUMN,
        date=columns.date or NO_COLUMN,
        label=columns.labels or NO_COLUMN,
        label_separator=columns.label_separator or "",
        side=columns.side,
        encoding=options.encoding,
        delimiter=options.delimiter,
        min_characters=options.min_characters,
        date_format=options.date_format,
        strip_html=options.strip_html,
        join_spellings=options.join_spellings,
    )


def misspellings_in(corpus: Corpus) -> tuple[Misspelling, ...]:
    """Labels, and values of columns that are kept, that are probably misspelled."""
    labels = chain.from_iterable(corpus.labels)
    found = likely_misspellings(labels, corpus.reading.columns.labels or "labels")
    for column, values in corpus.side.items():
        found += likely_misspellings(filter(None, values), column)
    return found


def join_misspellings(corpus: Corpus, chosen: Sequence[Misspelling]) -> Corpus:
    """The corpus with these names replaced by what they mean, and a note of that."""
    meant: dict[str, dict[str, str]] = {}
    for each in chosen:
        meant.setdefault(each.column, {})[each.name] = each.meant
    of_labels = meant.get(corpus.reading.columns.labels or "labels", {})
    labels = tuple(
        tuple(dict.fromkeys(of_labels.get(name, name) for name in row)) for row in corpus.labels
    )
    side = {
        column: tuple(meant.get(column, {}).get(value, value) for value in values)
        for column, values in corpus.side.items()
    }
    notes = tuple(
        f"In “{column}”, joined by choice: "
        + ", ".join(f"“{name}” as “{other}”" for name, other in names.items())
        + "."
        for column, names in meant.items()
    )
    reading = replace(corpus.reading, notes=corpus.reading.notes + notes)
    return replace(corpus, labels=labels, side=side, reading=reading)


def misspelling_sentence(found: Sequence[Misspelling]) -> str:
    """That some names may be misspelled; empty if none is."""
    if not found:
        return ""
    named = (f"“{each.name}” ({each.times:,}) of “{each.meant}”" for each in found[:LISTED_ROWS])
    more = f" and {len(found) - LISTED_ROWS:,} more" if len(found) > LISTED_ROWS else ""
    return f"Likely misspellings: {', '.join(named)}{more}."


def usual_text(corpus: Corpus, language: str | None = None) -> TextSettings:
    """The text settings a new project starts from: the usual ones in the corpus's language."""
    return TextSettings(language=language or guess_language(corpus.texts))


def language_sentence(text: TextSettings, *, guessed: bool) -> str:
    name = LANGUAGES.get(text.language, text.language)
    return f"Language: {name}{' (guessed)' if guessed else ''}."


def second_language_sentence(corpus: Corpus, text: TextSettings) -> str:
    """That many texts are in a language whose stop words would count; empty if they are not."""
    found = second_language(corpus.texts, text.language) if text.stop_words else None
    if found is None:
        return ""
    other, one = LANGUAGES[found[0]], LANGUAGES.get(text.language, text.language)
    return f"About {percent(found[1])} of the texts look {other}; the list of stop words is {one}."


def distinct_names(names: Iterable[str]) -> tuple[str, ...]:
    """Names without surplus blanks, each once; “Billing” and “billing” are one."""
    plain = [" ".join(name.split()) for name in names]
    seen = {name.casefold(): name for name in reversed(plain) if name}
    return tuple(reversed(seen.values()))


def plan_project(
    corpus: Corpus,
    name: str,
    *,
    use: Use = "ignore",
    text: TextSettings | None = None,
    spec: ModelSpec | None = None,
    n_topics: int | None = None,
) -> NewProject:
    """The project that the app would offer for a corpus; ``n_topics`` is how many in all."""
    topics = distinct_names(corpus.label_names) if use != "ignore" else ()
    spec = spec or ModelSpec()
    n_free = free_topics(len(corpus)) if topics else TOPICS_WITHOUT_LABELS
    if n_topics is not None:
        if spec.labels_own_topics and n_topics < len(topics):
            labels = count(len(topics), "label")
            raise ModelError(f"{count(n_topics, 'topic')} cannot hold the {labels} in the file.")
        n_free = max(n_topics - len(topics), 0)
        spec = spec if spec.labels_own_topics else replace(spec, n_topics=n_topics)
    return NewProject(
        name=name,
        text=text or usual_text(corpus),
        use=use,
        topics=topics,
        n_free=n_free,
        spec=spec,
    )


def _roles(columns: ColumnRoles) -> Iterator[str]:
    if columns.text:
        yield f"text {' with '.join(f'“{name}”' for name in columns.texts)}"
    titles = (("id", columns.id), ("date", columns.date))
    yield from (f"{title} “{name}”" for title, name in titles if name)
    if columns.labels:
        several = f" split at “{columns.label_separator}”" if columns.label_separator else ""
        yield f"labels “{columns.labels}”{several}"


def _delimiter(delimiter: str | None) -> str:
    return "" if not delimiter else "tabs" if delimiter == "\t" else f"“{delimiter}”"
