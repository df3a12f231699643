package sqlite

// catalogVersion is raised with every change of createCatalog; a catalog of
// another version is made anew.
const catalogVersion = 3

// createCatalog makes an empty catalog. outcome says in SQL what Call.Outcome says
// in Go; a test compares them. Each index serves one filter in the order of pages;
// calls_by_count serves counting by all of them at once.
const createCatalog = `
CREATE TABLE source (
  only   INTEGER PRIMARY KEY CHECK (only = 1),
  log    TEXT    NOT NULL, -- its id
  number INTEGER NOT NULL, -- of the last entry that is in the catalog
  hash   TEXT    NOT NULL  -- of that entry
) STRICT;

CREATE TABLE runs (
  run_id    TEXT PRIMARY KEY,
  number    INTEGER NOT NULL, -- of run.began
  at        TEXT NOT NULL,
  model     TEXT NOT NULL,
  ended     INTEGER,          -- number of run.ended
  status    TEXT,
  suspended INTEGER           -- number of a run.suspended that no run.resumed follows
) STRICT, WITHOUT ROWID;
CREATE INDEX runs_open ON runs (number) WHERE ended IS NULL;
CREATE INDEX runs_by_number ON runs (number);

CREATE TABLE calls (
  number    INTEGER PRIMARY KEY, -- of its first entry
  run_id    TEXT NOT NULL,
  call_id   TEXT NOT NULL,
  seq       INTEGER NOT NULL,
  fn        TEXT NOT NULL,
  model     TEXT NOT NULL,
  at        TEXT NOT NULL,
  last      INTEGER NOT NULL, -- number of its last entry
  requested INTEGER, decided INTEGER, started INTEGER, settled INTEGER, refused INTEGER,
  noted     INTEGER,
  verdict   TEXT,
  decider   TEXT,
  waited    INTEGER,          -- ms
  ms        REAL,
  failure   TEXT,             -- name of its error, or code of its refusal
  failed    INTEGER NOT NULL DEFAULT 0,
  over      INTEGER,          -- 1: its run ended before it was decided
  outcome   TEXT GENERATED ALWAYS AS (CASE
    WHEN settled IS NOT NULL THEN iif(failed, 'error', 'ok')
    WHEN started IS NOT NULL THEN 'unknown'
    WHEN refused IS NOT NULL THEN 'refused'
    WHEN decided IS NULL AND over IS NULL THEN 'waiting'
    WHEN verdict = 'approve' THEN 'approved'
    ELSE 'rejected' END) STORED
) STRICT;
CREATE UNIQUE INDEX calls_by_id ON calls (run_id, call_id) WHERE call_id <> '';
CREATE INDEX calls_by_run      ON calls (run_id, number);
CREATE INDEX calls_by_fn       ON calls (fn, number);
CREATE INDEX calls_by_outcome  ON calls (outcome, number);
CREATE INDEX calls_by_model    ON calls (model, number);
CREATE INDEX calls_by_verdict  ON calls (verdict, number) WHERE verdict IS NOT NULL;
CREATE INDEX calls_by_decider  ON calls (decider, number) WHERE verdict IS NOT NULL;
CREATE INDEX calls_by_took     ON calls (fn, ms) WHERE ms IS NOT NULL;
CREATE INDEX calls_by_count    ON calls (fn, outcome, verdict, decider, model, at, ms);

-- The times within each 1024 numbers, so that a filter by time need not read what
-- lies before and behind it, also where the clock was set back.
CREATE TABLE blocks (
  block    INTEGER PRIMARY KEY, -- number >> 10 of the first entry of calls
  earliest TEXT NOT NULL,
  latest   TEXT NOT NULL,
  reach    INTEGER NOT NULL     -- highest last of its calls
) STRICT;

PRAGMA main.user_version = 3;
`
