/**
 * The schema, one step per version: the step at index n migrates a database from `user_version` n to n + 1. A released
 * step never changes, nor do the comments inside its statements: SQLite stores them with the tables, and the doctor
 * compares them. Row numbers are SQLite's own and stay inside `sqlite/`; callers see ids.
 */
export const MIGRATIONS: readonly string[] = [
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
  // Files that are re-embedded with another model are staged until all are complete; searches continue on the old ones.
  `
  CREATE TABLE reembeddings (
    bot        INTEGER PRIMARY KEY REFERENCES bots(number) ON DELETE CASCADE,
    model      INTEGER NOT NULL REFERENCES models(number),
    touched_at TEXT NOT NULL        -- when it last went on
  ) STRICT;

  CREATE TABLE staged_files (
    file     INTEGER PRIMARY KEY REFERENCES files(number) ON DELETE CASCADE,
    bot      INTEGER NOT NULL REFERENCES reembeddings(bot) ON DELETE CASCADE,
    source   TEXT NOT NULL,         -- what the file was when it was cut
    recipe   TEXT NOT NULL,
    warnings TEXT NOT NULL
  ) STRICT;
  CREATE INDEX staged_files_by_bot ON staged_files (bot);

  CREATE TABLE staged_passages (
    number    INTEGER PRIMARY KEY,
    file      INTEGER NOT NULL REFERENCES staged_files(file) ON DELETE CASCADE,
    passage   TEXT NOT NULL,        -- as it is put: JSON
    embedding INTEGER NOT NULL REFERENCES embeddings(number)
  ) STRICT;
  CREATE INDEX staged_passages_by_file ON staged_passages (file);
  CREATE INDEX staged_passages_by_embedding ON staged_passages (embedding);

  CREATE TRIGGER staged_passages_gone AFTER DELETE ON staged_passages
  WHEN NOT EXISTS (SELECT 1 FROM passages WHERE embedding = old.embedding)
  BEGIN
    INSERT INTO unused VALUES (old.embedding) ON CONFLICT DO NOTHING;
  END;
  `,
  // The settings that a file is cut with are called its pipeline everywhere else. Posting totals are recorded, since
  // those of FTS5 never shrink; they are counted when the bot is opened for the first time.
  `
  ALTER TABLE files RENAME COLUMN recipe TO pipeline;
  ALTER TABLE staged_files RENAME COLUMN recipe TO pipeline;

  CREATE TABLE posting_totals (
    bot      INTEGER PRIMARY KEY REFERENCES bots(number) ON DELETE CASCADE,
    passages INTEGER NOT NULL,      -- passages that have postings
    terms    INTEGER NOT NULL       -- sum of their lengths in terms
  ) STRICT;
  `,
  // A write is decided on a version of its file; a changed file is seen by its times and inode. A row's checksum leaves
  // them out: a wrong version refuses one write, and a wrong time or inode lets a file be read again.
  `
  ALTER TABLE files ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE files ADD COLUMN ctime REAL;      -- milliseconds; NULL until the folder is indexed again
  ALTER TABLE files ADD COLUMN inode REAL;
  `,
  // What completes a passage that is a part of fenced code or of a table.
  `
  ALTER TABLE passages ADD COLUMN opening TEXT;
  ALTER TABLE passages ADD COLUMN closing TEXT;
  `,
  // The terms that a file is called by: its name, folders, description, aliases and keywords.
  `
  CREATE TABLE file_terms (
    bot  INTEGER NOT NULL,
    term TEXT NOT NULL,             -- as the posting table has it
    file INTEGER NOT NULL REFERENCES files(number) ON DELETE CASCADE,
    PRIMARY KEY (bot, term, file)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX file_terms_by_file ON file_terms (file);
  `,
  // An upload address accepts what was announced with it, whatever is announced after it.
  `
  ALTER TABLE uploads ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE uploads ADD COLUMN content_type TEXT NOT NULL DEFAULT '';
  ALTER TABLE uploads ADD COLUMN searched INTEGER NOT NULL DEFAULT 0;
  UPDATE uploads SET (size, content_type, searched) =
    (SELECT size, content_type, searched FROM files WHERE number = file);
  `,
  // What addresses of contents are signed with, by every process.
  `
  CREATE TABLE signing_key (
    key BLOB NOT NULL               -- 256 random bits
  ) STRICT;
  INSERT INTO signing_key VALUES (randomblob(32));
  `,
  // Groups of files, which have the id of their group as a tag.
  `
  CREATE TABLE knowledge_bases (
    number     INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    bot        INTEGER NOT NULL REFERENCES bots(number) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    tags       TEXT NOT NULL,       -- a JSON object
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX knowledge_bases_by_bot ON knowledge_bases (bot);
  `,
  // Contents are stored in parts as they arrive, before they are those of a file. An earlier content is one part.
  `
  ALTER TABLE contents RENAME TO former_contents;

  CREATE TABLE contents (             -- bytes as uploaded
    number     INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice: one may be replaced while it is read
    file       INTEGER UNIQUE REFERENCES files(number) ON DELETE CASCADE,  -- NULL while it is staged
    size       INTEGER NOT NULL,      -- bytes
    is_utf8    INTEGER,               -- NULL if unknown
    touched_at TEXT NOT NULL          -- when its last part was stored
  ) STRICT;
  CREATE INDEX contents_staged ON contents (touched_at) WHERE file IS NULL;

  CREATE TABLE content_parts (
    content  INTEGER NOT NULL REFERENCES contents(number) ON DELETE CASCADE,
    start    INTEGER NOT NULL,        -- the offset of its first byte
    bytes    BLOB NOT NULL,
    checksum INTEGER,                 -- CRC-32; NULL as in earlier versions
    PRIMARY KEY (content, start)
  ) STRICT;

  INSERT INTO contents (number, file, size, touched_at) SELECT file, file, length(bytes), '' FROM former_contents;
  INSERT INTO content_parts (content, start, bytes, checksum) SELECT file, 0, bytes, checksum FROM former_contents;
  DROP TABLE former_contents;
  `,
  // A workspace can be renamed.
  `
  ALTER TABLE workspaces ADD COLUMN updated_at TEXT NOT NULL DEFAULT '';
  UPDATE workspaces SET updated_at = created_at;
  `,
];
