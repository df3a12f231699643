-- +goose Up
CREATE TABLE conversation (
  id      TEXT PRIMARY KEY,
  title   TEXT NOT NULL,
  named   INTEGER NOT NULL DEFAULT 0, -- 1: by the person, so nothing else renames it
  draft   TEXT NOT NULL DEFAULT '',
  created TEXT NOT NULL,
  updated TEXT NOT NULL,
  deleted TEXT -- set: waits for its end, and can be brought back until then
) STRICT;
CREATE INDEX conversation_updated ON conversation (updated DESC);

CREATE TABLE message (
  number       INTEGER PRIMARY KEY,
  conversation TEXT NOT NULL REFERENCES conversation ON DELETE CASCADE,
  seq          INTEGER NOT NULL, -- 0, 1, 2, … within its conversation
  body         TEXT NOT NULL,    -- the message as the page has it, JSON
  words        TEXT NOT NULL,    -- what a person may search for in it
  UNIQUE (conversation, seq)
) STRICT;

CREATE TABLE run (
  conversation TEXT NOT NULL REFERENCES conversation ON DELETE CASCADE,
  tool_call    TEXT NOT NULL, -- the model's tool call that asked for the run
  run          TEXT NOT NULL, -- its id in the log
  view         TEXT NOT NULL, -- what the run view shows, JSON
  PRIMARY KEY (conversation, tool_call)
) STRICT;
CREATE INDEX run_run ON run (run);

CREATE TABLE kept (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE VIRTUAL TABLE found USING fts5 (words, content = 'message', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 2');
-- What is deleted must not stay readable in the index.
INSERT INTO found (found, rank) VALUES ('secure-delete', 1);
-- +goose StatementBegin
CREATE TRIGGER message_inserted AFTER INSERT ON message BEGIN
  INSERT INTO found (rowid, words) VALUES (new.number, new.words);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER message_deleted AFTER DELETE ON message BEGIN
  INSERT INTO found (found, rowid, words) VALUES ('delete', old.number, old.words);
END;
-- +goose StatementEnd
