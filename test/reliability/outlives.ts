import { rmSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect } from 'vitest';
import type { SearchEngine } from 'waymark';
import { engineOf } from '../support/engine.js';
import { folderOf, writeFiles } from '../support/folder.js';

export const DOCS = Object.fromEntries(
  Array.from({ length: 12 }, (_, i) => [`${i}.md`, `# File ${i}\n\nThe word apples, and word${i}.\n`]),
);

const PARAGRAPHS = Array.from({ length: 250 }, (_, i) => `Pears and word${i} and ${'so on '.repeat(12)}`);

/** More than fits the free pages of a small database. */
export const LARGE = `# Large\n\n${PARAGRAPHS.join('\n\n')}\n`;

export interface Fault {
  begin(): void;
  end(): void;
}

/** The counts of the status, and the hits of a search. */
export async function answers(engine: SearchEngine): Promise<unknown> {
  const { files, passages, embedded } = await engine.status();
  const hits = await engine.search('the word apples', { limit: 5 });
  return [files, passages, embedded, hits.map(({ score, passage }) => [passage.content, score])];
}

/** Runs the integrity checks of SQLite and FTS5 on a closed database, and counts its files. */
export function checked(file: string): { sound: unknown; files: unknown } {
  const database = new Sqlite(file);
  database.exec(`INSERT INTO postings_1 (postings_1) VALUES ('integrity-check')`);
  const sound = [
    database.pragma('integrity_check', { simple: true }),
    database.pragma('foreign_key_check'),
    database
      .prepare(`SELECT count(*) FROM passages WHERE number NOT IN (SELECT id FROM postings_1_docsize)`)
      .pluck()
      .get(),
    database.prepare(`SELECT count(*) FROM files WHERE number NOT IN (SELECT file FROM texts)`).pluck().get(),
  ];
  const files = database.prepare(`SELECT count(*) FROM files`).pluck().get();
  database.close();
  return { sound, files };
}

export const SOUND = ['ok', [], 0, 0];

/** During the fault every write must fail clearly without effect and searches continue; afterwards writes succeed. */
export async function outlives(
  engine: SearchEngine,
  fault: Fault,
  { file, code, reason }: { file: string; code: string; reason: RegExp },
): Promise<void> {
  const docs = folderOf(DOCS);
  await engine.indexFolder(docs);
  const before = await answers(engine);
  const refused = { name: 'WaymarkError', code, message: expect.stringMatching(reason) };
  writeFiles(docs, { 'large.md': LARGE });
  fault.begin();
  for (let i = 0; i < 2; i++) {
    await expect(engine.indexFile('other.md', LARGE)).rejects.toMatchObject(refused);
    await expect(engine.indexFile('0.md', LARGE)).rejects.toMatchObject(refused);
    await expect(engine.indexFolder(docs)).rejects.toMatchObject(refused);
    expect(await answers(engine)).toEqual(before);
  }
  fault.end();
  expect(await engine.indexFile('other.md', LARGE)).toMatchObject({ outcome: 'added' });
  expect(await engine.removeFile('other.md')).toBe(true);
  expect(await engine.indexFolder(docs)).toMatchObject({ added: 1, unchanged: 12, failed: [] });
  const found = await answers(engine);
  await engine.close();
  expect(checked(file)).toEqual({ sound: SOUND, files: 13 });
  expect(found).toEqual(await answersWithoutFault(docs));
}

/** The result of the same calls without a fault. */
async function answersWithoutFault(docs: string): Promise<unknown> {
  const engine = await engineOf();
  rmSync(path.join(docs, 'large.md'));
  await engine.indexFolder(docs);
  await engine.indexFile('other.md', LARGE);
  await engine.removeFile('other.md');
  writeFiles(docs, { 'large.md': LARGE });
  await engine.indexFolder(docs);
  return answers(engine);
}
