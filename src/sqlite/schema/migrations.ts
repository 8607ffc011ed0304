import { FIRST_MIGRATIONS } from './first-migrations.js';

/**
 * The schema, one step per version: the step at index n migrates a database from `user_version` n to n + 1. A released
 * step never changes, nor do the comments inside its statements: SQLite stores them with the tables, and the doctor
 * compares them. Row numbers are SQLite's own and stay inside `sqlite/`; callers see ids.
 */
export const MIGRATIONS: readonly string[] = [
  ...FIRST_MIGRATIONS,
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
  // The folders that a bot's files come from, with what each run must know of them.
  `
  CREATE TABLE folders (
    bot    INTEGER NOT NULL REFERENCES bots(number) ON DELETE CASCADE,
    folder TEXT NOT NULL,             -- relative to that of the database
    name   TEXT NOT NULL,             -- what keys begin with; '' for nothing
    tags   TEXT NOT NULL,             -- a JSON object
    ignore TEXT NOT NULL,             -- a JSON list of patterns
    seen_at INTEGER,                  -- milliseconds; NULL before all files were looked at
    PRIMARY KEY (bot, folder)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO folders SELECT DISTINCT bot, folder, '', '{}', '[]', NULL FROM files WHERE folder IS NOT NULL;
  `,
  // Tags of some files of a folder.
  `
  ALTER TABLE folders ADD COLUMN tag_rules TEXT NOT NULL DEFAULT '[]';  -- a JSON list of { path, tags }
  `,
  // A long text is stored in parts, so that a search reads no more of it than it returns. An earlier text is one part.
  `
  ALTER TABLE texts ADD COLUMN checksum INTEGER;  -- CRC-32; NULL as in earlier versions

  CREATE TABLE text_parts (           -- what follows on the first part of a text, which is in texts
    file     INTEGER NOT NULL REFERENCES files(number) ON DELETE CASCADE,
    start    INTEGER NOT NULL,        -- the offset of its first UTF-16 code unit
    text     TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (file, start)
  ) STRICT;
  `,
  // A process may still have a bot open that another one has deleted: it must not get the next one instead.
  `
  CREATE TABLE bot_numbers (          -- those that bots have, or had: none is used twice
    number INTEGER PRIMARY KEY
  ) STRICT;
  INSERT INTO bot_numbers SELECT number FROM bots;
  `,
  // An upload takes effect with its bytes: until then, its address has the whole description.
  `
  ALTER TABLE uploads ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';         -- as in files
  ALTER TABLE uploads ADD COLUMN tags TEXT NOT NULL DEFAULT '{}';             -- a JSON object
  ALTER TABLE uploads ADD COLUMN access_policies TEXT NOT NULL DEFAULT '[]';  -- as in files
  ALTER TABLE uploads ADD COLUMN file_expires_at TEXT;                        -- files.expires_at
  UPDATE uploads SET (metadata, access_policies, file_expires_at, tags) =
    (SELECT metadata, access_policies, expires_at,
            (SELECT json_group_object(file_tags.key, value) FROM file_tags WHERE file_tags.file = files.number)
     FROM files WHERE number = uploads.file)
  WHERE file IN (SELECT number FROM files);
  CREATE INDEX uploads_by_file ON uploads (file);
  CREATE INDEX uploads_by_expiry ON uploads (expires_at);
  `,
  // What is staged is compared with its checksum before it replaces passages.
  `
  ALTER TABLE staged_files ADD COLUMN checksum INTEGER;  -- CRC-32, with its passages; NULL as in earlier versions
  `,
  // Front matter must not bring back the tags and metadata that the original of a copy had lost.
  `
  ALTER TABLE files ADD COLUMN keeps_description INTEGER NOT NULL DEFAULT 0;
  `,
];
