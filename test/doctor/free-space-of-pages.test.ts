import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createHashEmbedder, openEngine } from 'waymark';
import { answers, answersBefore, complaints, damage, examined, indexed, REPAIR } from './damaged-database.js';

const PAGE = 4096;

/** Changes bytes of a database. */
function change(database: string, at: number, bytes: readonly number[]): void {
  const all = readFileSync(database);
  all.set(bytes, at);
  writeFileSync(database, all);
}

/** A database with free pages. */
async function indexedWithFreePages(): Promise<string> {
  const database = await indexed();
  damage(database, 'CREATE TABLE many (x); INSERT INTO many VALUES (zeroblob(200000)); DROP TABLE many');
  return database;
}

describe('damage to the lists of free space is repaired, and nothing is lost', () => {
  it.each([
    ['the references between pages', PAGE, Array.from({ length: 200 }, () => 0), /ptrmap|ptr map/],
    ['the number of free pages', 36, [0, 0, 0, 1], /Freelist: size is/],
    ['the list of free pages', 32, [0, 0, 0, 0], /never used/],
    ['the free bytes of a page', PAGE * 9 + 7, [1], /Fragmentation of/],
  ])('%s', async (_, at, bytes, fault) => {
    const database = await indexedWithFreePages();
    change(database, at, bytes);
    const [complaint = '', ...others] = complaints(await examined(database));
    expect(complaint).toMatch(fault);
    expect([complaint.endsWith(` Next: ${REPAIR}`), others]).toEqual([true, []]);
    const { repaired, ...after } = await examined(database, { repair: true });
    expect([repaired, complaints({ repaired, ...after })]).toEqual([
      ['Wrote all pages again, since the lists of free space were damaged.'],
      [],
    ]);
    expect(await answers(database)).toEqual(await answersBefore());
  });
});

it('what SQLite says about broken pages is told in one line, without advice to run the doctor', async () => {
  const broken = await indexed();
  change(
    broken,
    PAGE * 6,
    Array.from({ length: 64 }, () => 0xff),
  );
  const [complaint] = complaints(await examined(broken));
  expect(complaint).toMatch(/^structure damaged: The database is malformed: .*\. Next: index again into a new file/);
  expect(complaint).not.toMatch(/\n|doctor/);
});

it('of a database that was cut off, both sizes are told', async () => {
  const database = await indexed();
  const whole = statSync(database).size;
  truncateSync(database, 10_000);
  const [complaint] = complaints(await examined(database));
  const sizes = `10,000 of its ${whole.toLocaleString('en')} bytes`;
  expect(complaint).toMatch(
    `structure damaged: The database is cut off: it has ${sizes}. Next: if it is a copy, copy it again; otherwise`,
  );
  await expect(openEngine({ database, model: createHashEmbedder() })).rejects.toMatchObject({
    code: 'DATABASE_DAMAGED',
    message:
      `${database} is cut off: it has ${sizes}. If it is a copy, copy it again; otherwise restore a backup or index ` +
      'again into a new file.',
  });
});
