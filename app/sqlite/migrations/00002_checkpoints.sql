-- +goose Up
-- Each row says that the entries up to number were removed on purpose, and what
-- the hash of the last of them was. checkpoint.go says what is signed.
CREATE TABLE checkpoints (
  number    INTEGER PRIMARY KEY CHECK (number > 0),
  hash      TEXT NOT NULL,
  at        TEXT NOT NULL,
  key       TEXT NOT NULL,
  signature TEXT NOT NULL
) STRICT;

DROP TRIGGER entries_never_go;
-- +goose StatementBegin
CREATE TRIGGER entries_never_go BEFORE DELETE ON entries
WHEN OLD.number > (SELECT coalesce(max(number), 0) FROM checkpoints)
BEGIN
  SELECT RAISE(ABORT, 'the log is append-only: only entries up to a checkpoint are deleted');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER checkpoints_only_go_on BEFORE INSERT ON checkpoints
WHEN NEW.number <= (SELECT coalesce(max(number), 0) FROM checkpoints)
  OR NEW.hash IS NOT (SELECT hash FROM entries WHERE number = NEW.number)
BEGIN
  SELECT RAISE(ABORT, 'a checkpoint names an entry that is there, behind the last checkpoint');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER checkpoints_never_change BEFORE UPDATE ON checkpoints
BEGIN
  SELECT RAISE(ABORT, 'checkpoints never change');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER checkpoints_never_go BEFORE DELETE ON checkpoints
BEGIN
  SELECT RAISE(ABORT, 'checkpoints are never deleted');
END;
-- +goose StatementEnd
