import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { LIMITS } from '#src/domain/limits.js';
import { folderOf } from '../support/folder.js';
import { serviceOf } from './service.js';

const TOO_LARGE = {
  status: 413,
  body: { type: 'LimitExceeded', metadata: { code: 'RESPONSE_TOO_LARGE' } },
};
const sentence = (advice: string) => `The answer must have at most 8 MB: ${advice}.`;
const SHORTEN = 'lower limit, or shorten the metadata of the files with updateFileMetadata';

/** Stores metadata as an earlier version did, which bounded nothing. */
function store(database: string, metadata: object): void {
  const connection = new Sqlite(database);
  connection.prepare(`UPDATE files SET metadata = ?, checksum = NULL`).run(JSON.stringify(metadata));
  connection.close();
}

test('fifty hits with the most metadata that a file may have are answered', async () => {
  const { ask, put } = await serviceOf();
  const metadata = { a: 'x'.repeat(LIMITS.metadata.value - 8) };
  await put('a.md', Array.from({ length: 60 }, (_, i) => `# Kettle ${i}\n\nKettle ${i}.`).join('\n\n'), { metadata });
  const { body } = await ask('/v1/files/search?query=kettle&limit=50');
  expect(body.passages).toHaveLength(50);
  expect(JSON.stringify(body).length).toBeLessThan(LIMITS.response.value);
});

test('a search with more text than an answer may have is refused with what to lower, as it is in process', async () => {
  const { ask, put, host, botId } = await serviceOf();
  await put('a.md', 'A kettle.');
  const files = await host.bot(botId);
  const passages = Array.from({ length: 150 }, (_, i) => ({ content: `kettle ${i % 3} `.padEnd(60_000, 'x') }));
  await files.setFilePassages({ id: 'a.md', passages });
  const refused = await ask('/v1/files/search?query=kettle&limit=50&contextDepth=10');
  expect(refused).toMatchObject(TOO_LARGE);
  expect(refused.body.message).toBe(sentence('lower limit or contextDepth'));
  await expect(files.searchFiles({ query: 'kettle', limit: 50, contextDepth: 10 })).rejects.toMatchObject({
    code: 'RESPONSE_TOO_LARGE',
    message: sentence('lower limit or contextDepth'),
  });
  expect((await ask('/v1/files/search?query=kettle&limit=5&contextDepth=1')).status).toBe(200);
  const page = await ask('/v1/files/a.md/passages?limit=200');
  expect(page).toMatchObject(TOO_LARGE);
  expect(page.body.message).toBe(sentence('lower limit'));
  expect((await ask('/v1/files/a.md/passages?limit=100')).body.passages).toHaveLength(100);
});

test('metadata that an earlier version stored is answered within the bound, and can be shortened', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const { ask, put } = await serviceOf({}, { database });
  await put('a.md', '# One\n\nA kettle.\n\n# Two\n\nA kettle.');
  store(database, { a: 'x'.repeat(5 << 20) });
  const both = await ask('/v1/files/search?query=kettle');
  expect(both).toMatchObject(TOO_LARGE);
  expect(both.body.message).toBe(sentence('lower limit or contextDepth'));
  expect((await ask('/v1/files/search?query=kettle&limit=1')).status).toBe(200);
  store(database, { a: 'x'.repeat(9 << 20) });
  const one = await ask('/v1/files/search?query=kettle&limit=1');
  expect(one).toMatchObject(TOO_LARGE);
  expect(one.body.message).toBe(sentence(SHORTEN));
  const headers = { 'content-type': 'application/json' };
  const asked = { method: 'PUT', headers, body: { metadata: { a: null } } };
  expect((await ask('/v1/files/a.md', asked)).status).toBe(200);
  expect((await ask('/v1/files/search?query=kettle')).body.passages).toHaveLength(2);
});
