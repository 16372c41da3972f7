"""What the store asks of PostgreSQL beyond its tables: settings, locks, the guard of the log.

Locks and channels belong to a database, the tables to a schema of it; so that several Studios can
share a database, each in a schema of its own, the schema is part of every name here.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import DDL, URL, Connection

from core.errors import StoreError

DRIVER = "postgresql+psycopg"
LOCK_SECONDS = 60  # how long a writer waits for another
NOT_UTF8 = "The PostgreSQL database must be in UTF8; it is in {}."
NO_DRIVER = 'PostgreSQL needs one more package: pip install "tsnmf-studio[postgres]".'

ENGINE_OPTIONS: dict[str, Any] = {
    "pool_pre_ping": True,  # after a restart of the database, connect anew
    "connect_args": {
        "application_name": "tsnmf-studio",
        "connect_timeout": 10,
        # a server that lost its network must not hold a lock for hours
        "keepalives_idle": 15,
        "keepalives_interval": 5,
        "keepalives_count": 3,
    },
}

# One writer at a time, as on SQLite; released when the transaction or its process ends.
_WRITE_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' write', 0))"

# Only the log of a project that never became complete can be deleted.
LOG_GUARD = DDL("""
CREATE OR REPLACE FUNCTION keep_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND NOT EXISTS (
        SELECT 1 FROM projects WHERE id = OLD.project AND n_docs > 0
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the log only grows';
END $$;
CREATE OR REPLACE TRIGGER events_only_grow BEFORE UPDATE OR DELETE ON events
    FOR EACH ROW EXECUTE FUNCTION keep_log();
""")

# Beyond so many characters a text is looked through: a tsvector holds one megabyte.
INDEXED_CHARACTERS = 200_000
SEARCH_TABLE = DDL(f"""
CREATE TABLE IF NOT EXISTS document_words (
    project bigint NOT NULL,
    position bigint NOT NULL,
    folded text NOT NULL,
    words tsvector GENERATED ALWAYS AS (
        array_to_tsvector(string_to_array(btrim(left(folded, {INDEXED_CHARACTERS})), ' '))
    ) STORED,
    PRIMARY KEY (project, position)
);
CREATE INDEX IF NOT EXISTS document_words_words ON document_words USING gin (words);
CREATE INDEX IF NOT EXISTS document_words_long ON document_words (project)
    WHERE char_length(folded) > {INDEXED_CHARACTERS};
""")


def with_driver(url: URL) -> URL:
    """An address that names no driver means psycopg 3."""
    return url.set(drivername=DRIVER) if url.drivername in ("postgresql", "postgres") else url


def configure(raw: Any, _record: Any) -> None:
    """Settings of a new connection."""
    encoding = raw.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StoreError(NOT_UTF8.format(encoding))
    raw.execute(f"SET lock_timeout = '{LOCK_SECONDS}s'")
    raw.commit()


def take_write_lock(connection: Connection) -> None:
    """Wait until nobody else writes; whoever waited sees what they wrote."""
    if connection.get_execution_options().get("immediate"):
        connection.exec_driver_sql(_WRITE_LOCK)
