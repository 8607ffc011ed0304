/** The first steps of `MIGRATIONS`. */
export const FIRST_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE workspaces (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE models (
    number      INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    name        TEXT NOT NULL,
    source      TEXT,               -- what to open it by again: JSON; NULL for an embedder given as an object
    dimensions  INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE bots (
    number      INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    workspace   TEXT NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
    name        TEXT NOT NULL,
    model       INTEGER REFERENCES models(number),
    tags        TEXT NOT NULL DEFAULT '{}',
    created_at  TEXT NOT NULL,
    updated_at  TEXT NOT NULL,
    deployed_at TEXT,
    UNIQUE (workspace, name)
  ) STRICT;

  CREATE TABLE tokens (
    id         TEXT PRIMARY KEY,
    workspace  TEXT NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    hash       BLOB NOT NULL UNIQUE,
    role       TEXT NOT NULL,
    bots       TEXT NOT NULL DEFAULT '[]',
    created_at TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT
  ) STRICT;

  CREATE TABLE files (
    number       INTEGER PRIMARY KEY,
    id           TEXT NOT NULL UNIQUE,
    bot          INTEGER NOT NULL REFERENCES bots(number) ON DELETE CASCADE,
    key          TEXT NOT NULL,
    folder       TEXT,              -- the indexed folder it comes from; NULL for a text that was given
    size         INTEGER NOT NULL,  -- bytes
    mtime        REAL,              -- milliseconds, as the folder had it
    hash         TEXT NOT NULL,     -- SHA-256 of the bytes
    recipe       TEXT NOT NULL,     -- everything else its passages depend on
    content_type TEXT NOT NULL,
    title        TEXT,
    metadata     TEXT NOT NULL,
    warnings     TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL,
    indexed_at   REAL NOT NULL,     -- milliseconds: when its bytes were read
    UNIQUE (bot, key)
  ) STRICT;

  CREATE TABLE texts (
    file INTEGER PRIMARY KEY REFERENCES files(number) ON DELETE CASCADE,
    text TEXT NOT NULL
  ) STRICT;

  CREATE TABLE file_tags (
    file  INTEGER NOT NULL REFERENCES files(number) ON DELETE CASCADE,
    key   TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (file, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX file_tags_by_value ON file_tags (key, value);

  CREATE TABLE embeddings (
    number INTEGER PRIMARY KEY AUTOINCREMENT,      -- never used twice: one may be on its way to a row that is gone
    hash   TEXT NOT NULL UNIQUE,    -- SHA-256 of the model's fingerprint and the embedded text
    model  INTEGER NOT NULL REFERENCES models(number),
    text   TEXT,                    -- the embedded text, until it is embedded
    vector BLOB                     -- float32, little endian, of length 1
  ) STRICT;
  CREATE INDEX embeddings_pending ON embeddings (model, number) WHERE vector IS NULL;

  CREATE TABLE unused (             -- embeddings kept until the run has settled: their text may turn up in another file
    embedding INTEGER PRIMARY KEY REFERENCES embeddings(number) ON DELETE CASCADE
  ) STRICT;

  CREATE TABLE passages (
    number     INTEGER PRIMARY KEY AUTOINCREMENT,  -- a vector index's id: never used twice
    id         TEXT NOT NULL,
    file       INTEGER NOT NULL REFERENCES files(number) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    start      INTEGER NOT NULL,
    "end"      INTEGER NOT NULL,
    start_line INTEGER NOT NULL,
    end_line   INTEGER NOT NULL,
    breadcrumb TEXT NOT NULL,
    subtype    TEXT NOT NULL,
    embedding  INTEGER NOT NULL REFERENCES embeddings(number),
    UNIQUE (file, position)
  ) STRICT;
  CREATE INDEX passages_by_embedding ON passages (embedding);

  CREATE TABLE changes (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    bot      INTEGER NOT NULL,
    passage  INTEGER NOT NULL,
    embedded INTEGER NOT NULL       -- 1: its embedding is there; 0: it is gone
  ) STRICT;
  CREATE INDEX changes_by_bot ON changes (bot, sequence);

  CREATE TABLE snapshots (
    bot      INTEGER PRIMARY KEY REFERENCES bots(number) ON DELETE CASCADE,
    sequence INTEGER NOT NULL,      -- of the last change that is in it
    checksum TEXT NOT NULL,         -- SHA-256 of all parts
    name     TEXT NOT NULL,         -- what its parts are known by
    parts    INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE snapshot_parts (
    number   INTEGER PRIMARY KEY,
    bot      INTEGER NOT NULL REFERENCES bots(number) ON DELETE CASCADE,
    snapshot TEXT NOT NULL,
    bytes    BLOB NOT NULL
  ) STRICT;
  `,
  // Each bot got a posting table of its own (postings.ts), so that the weight of a term does not depend on the files of
  // other bots. Existing passages got postings when their files were cut again, due to a new version of the pipeline.
  `SELECT 1`,
  // Until a passage is cut again, its length including markup stands in for the length of its readable text.
  `
  ALTER TABLE passages ADD COLUMN length INTEGER NOT NULL DEFAULT 0;
  UPDATE passages SET length = "end" - start;
  ALTER TABLE models ADD COLUMN unrelated REAL;   -- mean cosine of texts that have nothing to do with each other,
  ALTER TABLE models ADD COLUMN related REAL;     -- and of questions and their answers; NULL until measured
  `,
  // File operations: uploads, their state, and content that is not indexed.
  `
  ALTER TABLE files ADD COLUMN status TEXT NOT NULL DEFAULT 'indexing_completed';
  ALTER TABLE files ADD COLUMN reason TEXT;                              -- why it failed
  ALTER TABLE files ADD COLUMN searched INTEGER NOT NULL DEFAULT 1;      -- the contract's "index"
  ALTER TABLE files ADD COLUMN access_policies TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE files ADD COLUMN expires_at TEXT;
  CREATE INDEX files_expiring ON files (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX files_unfinished ON files (status) WHERE status <> 'indexing_completed';

  CREATE TABLE contents (             -- bytes as uploaded
    file  INTEGER PRIMARY KEY REFERENCES files(number) ON DELETE CASCADE,
    bytes BLOB NOT NULL
  ) STRICT;

  CREATE TABLE uploads (              -- addresses that take a file's bytes, once
    hash       TEXT PRIMARY KEY,      -- SHA-256 of the secret
    file       INTEGER NOT NULL REFERENCES files(number) ON DELETE CASCADE,
    expires_at TEXT NOT NULL
  ) STRICT;

  ALTER TABLE passages ADD COLUMN page INTEGER;
  `,
  // CRC-32 checksums, since SQLite has none. Older rows have NULL until they are written again or repaired.
  `
  ALTER TABLE embeddings ADD COLUMN checksum INTEGER;
  ALTER TABLE passages ADD COLUMN checksum INTEGER;
  ALTER TABLE files ADD COLUMN checksum INTEGER;       -- with its tags
  ALTER TABLE contents ADD COLUMN checksum INTEGER;
  `,
];
