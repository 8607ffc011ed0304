import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHashEmbedder, openEngine, openHost } from 'waymark';
import { folderOf } from '../support/folder.js';
import { newBot } from '../support/new-bot.js';
import { until } from '../support/until.js';
import { complaints, damage, examined, fileOf, REPAIR } from './damaged-database.js';

const LONG = `# Wheels\n\n${Array.from({ length: 600 }, (_, i) => `It turns ${i} times, with cogs.\n`).join('\n')}`;
const NOTE = '# Note\n\nThe kettle was descaled.\n';

/** The database that every test gets a copy of. */
let template: Uint8Array | undefined;

/** A database with two uploads that are searched, and one that is not. */
async function withUploads(): Promise<string> {
  if (template) return path.join(folderOf({ 'waymark.db': template }), 'waymark.db');
  const database = path.join(folderOf(), 'waymark.db');
  const host = await openHost({ database, model: createHashEmbedder() });
  const { files } = await newBot(host);
  await files.uploadFile({ key: 'long.md', content: LONG, index: true });
  await files.uploadFile({ key: 'note.md', content: NOTE, index: true });
  await files.uploadFile({ key: 'raw.bin', content: Uint8Array.of(1, 2, 3), index: false });
  const isDone = async (id: string) => /completed$/.test((await files.getFile({ id })).file.status);
  await until(async () => (await isDone('long.md')) && (await isDone('note.md')));
  await host.close();
  template = readFileSync(database);
  return database;
}

/** The content of a file, or the error of reading it. */
async function contentOf(database: string, key: string): Promise<string> {
  const host = await openHost({ database, model: createHashEmbedder() });
  try {
    return Buffer.from(await (await (await host.bot('support')).content(key)).bytes()).toString();
  } catch (error) {
    return String(error);
  } finally {
    await host.close();
  }
}

describe('a text that is whole, but whose parts cannot be read one by one, is divided again', () => {
  it.each([
    ['the checksum of a short text', 'note.md', NOTE, `UPDATE texts SET checksum = -checksum - 1`],
    ['the checksum of a part', 'long.md', LONG, `UPDATE text_parts SET checksum = checksum + 1`],
    ['the place of a part', 'long.md', LONG, `UPDATE text_parts SET start = start + 1`],
  ])('%s', async (_, key, text, sql) => {
    const database = await withUploads();
    damage(database, `${sql} WHERE file = ${fileOf(key)}`);
    expect(await contentOf(database, key)).toMatch(`The text of ${key} is damaged in the database`);
    expect(complaints(await examined(database))).toEqual([
      `files damaged: The texts of 1 of 3 files are whole, but the checksums or places of their parts are damaged. Next: ${REPAIR}`,
    ]);
    const { repaired, ...after } = await examined(database, { repair: true });
    expect([repaired, complaints({ repaired, ...after })]).toEqual([
      ['Divided the texts of 1 file into their parts again.'],
      [],
    ]);
    expect(await contentOf(database, key)).toBe(text);
  });
});

describe('a file whose content is gone is damaged, not empty or awaited, until it is uploaded again', () => {
  it.each([
    ['bytes that are not searched', 'raw.bin', 'DELETE FROM contents; DELETE FROM content_parts', 'raw.bin (upload)'],
    ['a text', 'note.md', `DELETE FROM texts WHERE file = ${fileOf('note.md')}`, 'note.md (text)'],
  ])('%s', async (_, key, sql, part) => {
    const database = await withUploads();
    damage(database, sql);
    expect(await contentOf(database, key)).toMatch(`The content of ${key} is damaged in the database`);
    const [complaint] = complaints(await examined(database));
    expect(complaint).toMatch(`files damaged: 1 of 3 files is damaged: ${part}.`);
    const again = `Next: index or upload ${key} again, or remove it with: waymark remove <key>`;
    const [left, ...others] = complaints(await examined(database, { repair: true }));
    expect([left?.endsWith(again), others]).toEqual([true, []]);
    const host = await openHost({ database, model: createHashEmbedder() });
    await (await host.bot('support')).uploadFile({ key, content: 'again', index: false });
    await host.close();
    expect(complaints(await examined(database))).toEqual([]);
  });
});

it('a text that waits for its upload is not damaged', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const host = await openHost({ database, model: createHashEmbedder() });
  const { files } = await newBot(host);
  await files.upsertFile({ key: 'later.md', size: 5, index: false });
  await files.uploadFile({ key: 'empty.md', content: '', index: false });
  await host.close();
  expect(complaints(await examined(database))).toEqual([]);
  expect(await contentOf(database, 'later.md')).toMatch('is not uploaded yet');
});

it('an empty text that programs gave is not damaged', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const engine = await openEngine({ database, model: createHashEmbedder() });
  await engine.indexFile('empty.md', '');
  await engine.setPassages({ key: 'none.md', contentType: 'text/plain', passages: [], tags: {}, metadata: {} });
  await engine.close();
  expect(complaints(await examined(database))).toEqual([]);
});
