-- +goose Up
-- One row: which log this is. The id goes into the first entry's previous, so a
-- chain cannot be moved into another file.
CREATE TABLE log (
  only    INTEGER PRIMARY KEY CHECK (only = 1),
  id      TEXT NOT NULL,
  created TEXT NOT NULL,
  version TEXT NOT NULL
) STRICT;

-- An entry as app.Entry has it. body is canonical JSON (RFC 8785); hash.go says
-- how hash is made.
CREATE TABLE entries (
  number   INTEGER PRIMARY KEY CHECK (number > 0),
  at       TEXT    NOT NULL,
  kind     TEXT    NOT NULL,
  run_id   TEXT    NOT NULL,
  call_id  TEXT    NOT NULL,
  seq      INTEGER NOT NULL,
  fn       TEXT    NOT NULL,
  body     TEXT    NOT NULL,
  previous TEXT    NOT NULL,
  hash     TEXT    NOT NULL
) STRICT;

CREATE INDEX entries_by_call ON entries (run_id, call_id, number);
CREATE INDEX entries_by_kind ON entries (kind, run_id);
CREATE INDEX entries_by_fn   ON entries (fn, number);

-- +goose StatementBegin
-- Also stops INSERT OR REPLACE, which fires no DELETE trigger of its own accord.
CREATE TRIGGER entries_only_at_the_end BEFORE INSERT ON entries
WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM entries)
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only: an entry takes the next number');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER entries_never_change BEFORE UPDATE ON entries
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only: entries never change');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER entries_never_go BEFORE DELETE ON entries
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only: entries are never deleted');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_never_changes BEFORE UPDATE ON log
BEGIN
  SELECT RAISE(ABORT, 'the identity of the log never changes');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_never_goes BEFORE DELETE ON log
BEGIN
  SELECT RAISE(ABORT, 'the identity of the log never changes');
END;
-- +goose StatementEnd
