CREATE TABLE schema_version (
	version INTEGER NOT NULL, 
	applied BIGINT NOT NULL, 
	PRIMARY KEY (version)
);
CREATE TABLE projects (
	id BIGSERIAL NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	author VARCHAR(200) NOT NULL, 
	created BIGINT NOT NULL, 
	deleted BIGINT, 
	settings TEXT NOT NULL, 
	reading TEXT NOT NULL, 
	side TEXT NOT NULL, 
	fingerprint VARCHAR(64) NOT NULL, 
	n_docs BIGINT NOT NULL, 
	n_labelled BIGINT NOT NULL, 
	revision BIGINT NOT NULL, 
	last_act BIGINT NOT NULL, 
	last_topic BIGINT NOT NULL, 
	last_run BIGINT NOT NULL, 
	texts_revision BIGINT DEFAULT '0' NOT NULL, 
	searchable BOOLEAN NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE documents (
	project BIGINT NOT NULL, 
	position BIGINT NOT NULL, 
	id TEXT NOT NULL, 
	text TEXT NOT NULL, 
	date VARCHAR(10), 
	labels TEXT, 
	side TEXT, 
	PRIMARY KEY (project, position), 
	FOREIGN KEY(project) REFERENCES projects (id)
);
CREATE TABLE IF NOT EXISTS document_words (
    project bigint NOT NULL,
    position bigint NOT NULL,
    folded text NOT NULL,
    words tsvector GENERATED ALWAYS AS (
        array_to_tsvector(string_to_array(btrim(left(folded, 200000)), ' '))
    ) STORED,
    PRIMARY KEY (project, position)
);
CREATE INDEX IF NOT EXISTS document_words_words ON document_words USING gin (words);
CREATE INDEX IF NOT EXISTS document_words_long ON document_words (project)
    WHERE char_length(folded) > 200000;
CREATE TABLE replaced_documents (
	project BIGINT NOT NULL, 
	event BIGINT NOT NULL, 
	position BIGINT NOT NULL, 
	id TEXT NOT NULL, 
	text TEXT NOT NULL, 
	date VARCHAR(10), 
	labels TEXT, 
	side TEXT, 
	PRIMARY KEY (project, event, position), 
	FOREIGN KEY(project) REFERENCES projects (id)
);
CREATE TABLE events (
	project BIGINT NOT NULL, 
	id BIGINT NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	position BIGINT, 
	undoes BIGINT, 
	payload TEXT NOT NULL, 
	author VARCHAR(200) NOT NULL, 
	time BIGINT NOT NULL, 
	client VARCHAR(100), 
	sequence BIGINT, 
	PRIMARY KEY (project, id), 
	UNIQUE (project, client, sequence), 
	FOREIGN KEY(project) REFERENCES projects (id)
);
CREATE INDEX events_without_status ON events (project, kind, undoes) WHERE kind IN ('undo', 'redo', 'use_run');
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
CREATE TABLE acts (
	project BIGINT NOT NULL, 
	event BIGINT NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	author VARCHAR(200) NOT NULL, 
	position BIGINT, 
	topic BIGINT, 
	status VARCHAR(8) NOT NULL, 
	PRIMARY KEY (project, event), 
	FOREIGN KEY(project) REFERENCES projects (id)
);
CREATE INDEX acts_by_topic ON acts (project, topic, event) WHERE topic IS NOT NULL;
CREATE INDEX acts_by_kind ON acts (project, kind, event) WHERE kind <> 'label';
CREATE INDEX acts_by_position ON acts (project, position, event, kind, status);
CREATE INDEX acts_by_author ON acts (project, author, status, event) WHERE author <> '';
CREATE TABLE topics (
	project BIGINT NOT NULL, 
	id BIGINT NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	colour INTEGER NOT NULL, 
	created BIGINT NOT NULL, 
	alive BOOLEAN NOT NULL, 
	PRIMARY KEY (project, id), 
	FOREIGN KEY(project) REFERENCES projects (id)
);
CREATE TABLE annotations (
	project BIGINT NOT NULL, 
	position BIGINT NOT NULL, 
	event BIGINT, 
	labelled BOOLEAN NOT NULL, 
	skipped BOOLEAN NOT NULL, 
	PRIMARY KEY (project, position), 
	FOREIGN KEY(project) REFERENCES projects (id)
);
CREATE TABLE marks (
	project BIGINT NOT NULL, 
	position BIGINT NOT NULL, 
	topic BIGINT NOT NULL, 
	permitted BOOLEAN NOT NULL, 
	PRIMARY KEY (project, position, topic), 
	FOREIGN KEY(project) REFERENCES projects (id)
);
CREATE INDEX marks_by_topic ON marks (project, topic, permitted);
CREATE TABLE runs (
	project BIGINT NOT NULL, 
	id BIGINT NOT NULL, 
	revision BIGINT NOT NULL, 
	spec TEXT NOT NULL, 
	settings TEXT NOT NULL, 
	topic_ids TEXT NOT NULL, 
	scores TEXT NOT NULL, 
	seconds FLOAT NOT NULL, 
	finished BIGINT NOT NULL, 
	automatic BOOLEAN NOT NULL, 
	preview BOOLEAN DEFAULT false NOT NULL, 
	PRIMARY KEY (project, id), 
	FOREIGN KEY(project) REFERENCES projects (id)
);
