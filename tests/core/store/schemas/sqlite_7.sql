CREATE TABLE schema_version (
	version INTEGER NOT NULL, 
	applied BIGINT NOT NULL, 
	PRIMARY KEY (version)
);
CREATE TABLE projects (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	name VARCHAR(200) NOT NULL, 
	author VARCHAR(200) NOT NULL, 
	created BIGINT NOT NULL, 
	deleted BIGINT, 
	settings TEXT NOT NULL, 
	reading TEXT NOT NULL, 
	side TEXT NOT NULL, 
	fingerprint VARCHAR(64) NOT NULL, 
	n_docs INTEGER NOT NULL, 
	n_labelled INTEGER NOT NULL, 
	revision INTEGER NOT NULL, 
	last_act BIGINT NOT NULL, 
	last_topic INTEGER NOT NULL, 
	last_run INTEGER NOT NULL, 
	texts_revision INTEGER DEFAULT '0' NOT NULL, 
	searchable BOOLEAN NOT NULL
);
CREATE TABLE documents (
	project INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	text TEXT NOT NULL, 
	date VARCHAR(10), 
	labels TEXT, 
	side TEXT, 
	PRIMARY KEY (project, position), 
	FOREIGN KEY(project) REFERENCES projects (id)
);
CREATE TABLE replaced_documents (
	project INTEGER NOT NULL, 
	event INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	text TEXT NOT NULL, 
	date VARCHAR(10), 
	labels TEXT, 
	side TEXT, 
	PRIMARY KEY (project, event, position), 
	FOREIGN KEY(project) REFERENCES projects (id)
);
CREATE TABLE events (
	project INTEGER NOT NULL, 
	id INTEGER NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	position INTEGER, 
	undoes INTEGER, 
	payload TEXT NOT NULL, 
	author VARCHAR(200) NOT NULL, 
	time BIGINT NOT NULL, 
	client VARCHAR(100), 
	sequence BIGINT, 
	PRIMARY KEY (project, id), 
	UNIQUE (project, client, sequence), 
	FOREIGN KEY(project) REFERENCES projects (id)
)
 WITHOUT ROWID;
CREATE INDEX events_without_status ON events (project, kind, undoes) WHERE kind IN ('undo', 'redo', 'use_run');
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the log only grows'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events WHEN EXISTS (SELECT 1 FROM projects WHERE id = OLD.project AND n_docs > 0) BEGIN SELECT RAISE(ABORT, 'the log only grows'); END;
CREATE TABLE acts (
	project INTEGER NOT NULL, 
	event INTEGER NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	author VARCHAR(200) NOT NULL, 
	position INTEGER, 
	topic INTEGER, 
	status VARCHAR(8) NOT NULL, 
	PRIMARY KEY (project, event), 
	FOREIGN KEY(project) REFERENCES projects (id)
)
 WITHOUT ROWID;
CREATE INDEX acts_by_topic ON acts (project, topic, event) WHERE topic IS NOT NULL;
CREATE INDEX acts_by_kind ON acts (project, kind, event) WHERE kind <> 'label';
CREATE INDEX acts_by_position ON acts (project, position, event, kind, status);
CREATE INDEX acts_by_author ON acts (project, author, status, event) WHERE author <> '';
CREATE TABLE topics (
	project INTEGER NOT NULL, 
	id INTEGER NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	colour INTEGER NOT NULL, 
	created BIGINT NOT NULL, 
	alive BOOLEAN NOT NULL, 
	PRIMARY KEY (project, id), 
	FOREIGN KEY(project) REFERENCES projects (id)
);
CREATE TABLE annotations (
	project INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	event INTEGER, 
	labelled BOOLEAN NOT NULL, 
	skipped BOOLEAN NOT NULL, 
	PRIMARY KEY (project, position), 
	FOREIGN KEY(project) REFERENCES projects (id)
)
 WITHOUT ROWID;
CREATE TABLE marks (
	project INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	topic INTEGER NOT NULL, 
	permitted BOOLEAN NOT NULL, 
	PRIMARY KEY (project, position, topic), 
	FOREIGN KEY(project) REFERENCES projects (id)
)
 WITHOUT ROWID;
CREATE INDEX marks_by_topic ON marks (project, topic, permitted);
CREATE TABLE runs (
	project INTEGER NOT NULL, 
	id INTEGER NOT NULL, 
	revision INTEGER NOT NULL, 
	spec TEXT NOT NULL, 
	settings TEXT NOT NULL, 
	topic_ids TEXT NOT NULL, 
	scores TEXT NOT NULL, 
	seconds FLOAT NOT NULL, 
	finished BIGINT NOT NULL, 
	automatic BOOLEAN NOT NULL, 
	preview BOOLEAN DEFAULT 0 NOT NULL, 
	PRIMARY KEY (project, id), 
	FOREIGN KEY(project) REFERENCES projects (id)
);
