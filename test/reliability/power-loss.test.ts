import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createHashEmbedder, openEngine, openHost } from 'waymark';
import { mulberry32 } from 'waymark/evaluation';
import { folderOf, writeFiles } from '../support/folder.js';
import { until } from '../support/until.js';
import { inconsistencies } from './consistency.js';
import { TORTURE, tell, times } from './torture.js';

/** Layout of a write-ahead log: https://www.sqlite.org/fileformat2.html#walformat. */
const LOG_HEADER = 32;
const FRAME_HEADER = 24;

/** Where a frame is torn: in its header, after it, within the page, one byte before its end. */
const TORN = [1, 12, FRAME_HEADER, FRAME_HEADER + 1, 700, 2048, FRAME_HEADER + 4095];

/** The rows of every table: equal for databases with equal content. */
function rowsOf(file: string): string {
  const database = new Sqlite(file, { fileMustExist: true });
  try {
    const tables = database
      .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL ORDER BY name`)
      .pluck()
      .all()
      .filter((name) => !/^postings_\d+$/.test(name));
    return JSON.stringify(tables.map((table) => [table, database.prepare(`SELECT * FROM ${table}`).raw().all()]));
  } finally {
    database.close();
  }
}

/** Indexes, changes and removes files, so that the log has every commit from the creation of the schema on. */
async function history(database: string, folder: string): Promise<{ before: Buffer; log: Buffer }> {
  const keeper = new Sqlite(database);
  keeper.pragma('auto_vacuum = INCREMENTAL');
  keeper.pragma('journal_mode = WAL');
  const before = readFileSync(database);
  // A reader of the first state keeps the log from being checkpointed.
  keeper.exec('BEGIN');
  keeper.prepare('SELECT count(*) FROM sqlite_schema').get();
  const model = createHashEmbedder();
  const engine = await openEngine({ database, model, index: 'hnsw' });
  const host = await openHost({ database, model });
  await engine.createBot({ name: 'uploads' });
  const uploads = await host.bot('uploads');
  await engine.indexFolder(folder);
  await engine.indexFile('given.md', '# Given\n\nThe lamp.\n\n## More\n\nThe door of the pump.');
  await uploads.uploadFile({
    key: 'uploaded.md',
    content: '# Uploaded\n\nThe relay.',
    index: true,
    tags: { area: 'a' },
  });
  await until(() => host.status().pending === 0);
  writeFiles(folder, { 'a.md': '# A\n\nThe pump is new.\n\n## Valve\n\nThe valve closes.' });
  await engine.indexFolder(folder);
  await engine.removeFile('given.md');
  await uploads.deleteFile({ id: 'uploaded.md' });
  const log = readFileSync(`${database}-wal`);
  await host.close();
  await engine.close();
  keeper.close();
  return { before, log };
}

test('a log truncated anywhere opens, is consistent, and has everything committed up to there', async () => {
  const folder = folderOf({
    'docs/a.md': '# A\n\nThe pump.\n\n## Valve\n\nThe valve closes.',
    'docs/b.md': '# B\n\nThe motor.',
  });
  const { before, log } = await history(path.join(folder, 'waymark.db'), path.join(folder, 'docs'));
  const frame = FRAME_HEADER + log.readUInt32BE(8);
  const frames = Math.floor((log.length - LOG_HEADER) / frame);
  // A page count in the header of a frame marks a commit. Frames of an older log have another salt.
  const headers = Array.from({ length: frames }, (_, i) => log.subarray(LOG_HEADER + i * frame));
  const valid = headers.findIndex((header) => !header.subarray(8, 16).equals(log.subarray(16, 24)));
  const written = valid < 0 ? frames : valid;
  const commits = headers.slice(0, written).flatMap((header, i) => (header.readUInt32BE(4) > 0 ? [i + 1] : []));
  expect(commits.length).toBeGreaterThan(25);
  expect(commits.at(-1)).toBe(written);

  const cut = path.join(folder, 'cut.db');
  const opened = (bytes: number): string => {
    writeFileSync(cut, before);
    writeFileSync(`${cut}-wal`, log.subarray(0, bytes));
    return cut;
  };
  const states = new Map<number, string>([[0, rowsOf(opened(0))]]);
  for (const commit of commits) states.set(commit, rowsOf(opened(LOG_HEADER + commit * frame)));
  const distinct = new Set(states.values()).size;
  expect(distinct).toBeGreaterThan(20);

  const random = mulberry32(7);
  const sample = times(60, Number.POSITIVE_INFINITY);
  const borders = Array.from({ length: written + 1 }, (_, i) => ({ whole: i, torn: 0 }));
  const within = borders.slice(0, -1).flatMap(({ whole }) => TORN.map((torn) => ({ whole, torn })));
  const places = [...borders, ...within].filter(() => TORTURE || random() < sample / (borders.length + within.length));
  const schema = commits.find((commit) => states.get(commit)?.includes('"embeddings"')) ?? 0;
  let checked = 0;
  for (const { whole, torn } of places) {
    const where = `${whole} frames and ${torn} bytes`;
    const file = opened(LOG_HEADER + whole * frame + torn);
    const last = Math.max(0, ...commits.filter((commit) => commit <= whole));
    expect(rowsOf(file) === states.get(last), `the state of the commit before ${where}`).toBe(true);
    // Before the first commit there is nothing to check.
    if (last >= schema) expect(inconsistencies(file), where).toEqual([]);
    checked += 1;
  }

  // The product must continue from every state that a power failure may leave.
  const starts = commits.filter((commit) => TORTURE || commit % 17 === 0);
  for (const commit of starts) {
    const file = opened(LOG_HEADER + commit * frame);
    const engine = await openEngine({ database: file, model: createHashEmbedder(), index: 'hnsw' });
    await engine.indexFolder(path.join(folder, 'docs'));
    const { passages } = await engine.searchFiles({ query: 'pump valve', contextDepth: 0 });
    expect(passages.map(({ file: { key } }) => key)).toContain('a.md');
    await engine.close();
    expect(inconsistencies(file)).toEqual([]);
  }
  tell(
    `the log cut at ${checked} places of ${written} frames (${commits.length} commits): each a prefix of the history, consistent`,
  );
});
