import Sqlite from 'better-sqlite3';

/** The invariants of a database that are broken: none at any moment, whichever process was killed. */
export function inconsistencies(file: string): string[] {
  const database = new Sqlite(file, { fileMustExist: true });
  const told: string[] = [];
  const rows = (sql: string) => database.prepare<[], Record<string, unknown>>(sql).all();
  const none = (what: string, sql: string) => {
    for (const row of rows(sql).slice(0, 3)) told.push(`${what}: ${JSON.stringify(row)}`);
  };
  try {
    const whole = database.pragma('integrity_check', { simple: true });
    if (whole !== 'ok') told.push(`integrity_check: ${String(whole)}`);
    none('foreign_key_check', 'SELECT * FROM pragma_foreign_key_check');
    none(
      'an indexed file without a text',
      `SELECT key FROM files LEFT JOIN texts ON file = number
       WHERE file IS NULL AND (status = 'indexing_completed'
         OR EXISTS (SELECT 1 FROM passages WHERE passages.file = files.number))`,
    );
    none(
      'a pending upload without bytes',
      `SELECT key FROM files WHERE status = 'indexing_pending'
      AND NOT EXISTS (SELECT 1 FROM contents WHERE contents.file = files.number)`,
    );
    none(
      'a content without all of its parts',
      `SELECT contents.number FROM contents LEFT JOIN content_parts ON content = contents.number
       GROUP BY contents.number HAVING coalesce(sum(length(bytes)), 0) <> size`,
    );
    none(
      'a file whose passages are not contiguous',
      `SELECT file, count(*) AS passages, min(position), max(position) FROM passages
      GROUP BY file HAVING min(position) <> 0 OR max(position) <> count(*) - 1`,
    );
    none(
      'passages that overlap',
      `SELECT a.file, a.position FROM passages AS a
      JOIN passages AS b ON b.file = a.file AND b.position = a.position + 1 WHERE a."end" > b.start`,
    );
    none(
      'a passage outside of its text',
      `SELECT passages.file, position FROM passages JOIN texts ON texts.file = passages.file
      WHERE start < 0 OR start > "end" OR "end" > length(text) +
        (SELECT coalesce(sum(length(text)), 0) FROM text_parts WHERE text_parts.file = passages.file)`,
    );
    none(
      'an embedding that is neither there nor pending',
      `SELECT number FROM embeddings WHERE (text IS NULL) = (vector IS NULL)`,
    );
    none(
      'an embedding that nothing uses',
      `SELECT number FROM embeddings WHERE number NOT IN (SELECT embedding FROM passages)
      AND number NOT IN (SELECT embedding FROM unused)`,
    );
    none(
      'a passage of which the log of changes tells otherwise',
      `SELECT passages.number, vector IS NOT NULL AS embedded, coalesce(last.embedded, 0) AS logged FROM passages
       JOIN embeddings ON embeddings.number = embedding
       LEFT JOIN (SELECT passage, embedded, max(sequence) FROM changes GROUP BY passage) AS last
         ON last.passage = passages.number
       WHERE logged <> (vector IS NOT NULL)`,
    );
    none(
      'a passage that the log of changes has not seen go',
      `SELECT passage FROM (SELECT passage, embedded, max(sequence) FROM changes GROUP BY passage)
       WHERE embedded = 1 AND passage NOT IN (SELECT number FROM passages)`,
    );
    for (const { number } of rows('SELECT number FROM bots')) {
      const table = `postings_${String(number)}`;
      // A bot that was created but never opened has none yet.
      if (rows(`SELECT 1 FROM sqlite_schema WHERE name = '${table}'`).length === 0) continue;
      database.exec(`INSERT INTO ${table} (${table}) VALUES ('integrity-check')`);
      const own = `SELECT passages.number FROM passages JOIN files ON files.number = file
        WHERE bot = ${String(number)}`;
      none('a passage without postings', `${own} AND passages.number NOT IN (SELECT id FROM ${table}_docsize)`);
      none('postings without a passage', `SELECT id FROM ${table}_docsize WHERE id NOT IN (${own})`);
    }
  } catch (error) {
    told.push(String(error));
  } finally {
    database.close();
  }
  return told;
}

/** The content of each file by its key, over all bots: the last upload, or the indexed text. */
export function contentsOf(file: string): Map<string, string> {
  const database = new Sqlite(file, { fileMustExist: true });
  try {
    const texts = database
      .prepare<[], [string, string]>(
        `SELECT key, text ||
           coalesce((SELECT group_concat(text, '' ORDER BY start) FROM text_parts WHERE file = number), '')
         FROM files JOIN texts ON texts.file = number`,
      )
      .raw()
      .all();
    const uploads = new Map<string, Buffer>();
    for (const { key, bytes } of database
      .prepare<[], { key: string; bytes: Buffer }>(
        `SELECT key, coalesce(bytes, x'') AS bytes FROM files JOIN contents ON contents.file = files.number
         LEFT JOIN content_parts ON content = contents.number ORDER BY start`,
      )
      .iterate()) {
      uploads.set(key, Buffer.concat([uploads.get(key) ?? Buffer.of(), bytes]));
    }
    return new Map([...texts, ...[...uploads].map(([key, bytes]) => [key, bytes.toString()] as const)]);
  } finally {
    database.close();
  }
}
