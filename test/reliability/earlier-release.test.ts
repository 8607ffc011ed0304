import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, examine, openHost, type SearchEngine } from 'waymark';
import { MIGRATIONS } from '#src/sqlite/schema/migrations.js';
import { recordingEmbedder } from '../support/embedder.js';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';

/** The files that the database was indexed from. */
const DOCS = {
  'docs/backup.md': [
    '---\ntags: { area: ops }\n---\n\n# Backups',
    '## Schedule\n\nA copy of the database is made every night at two.',
    '## Restore\n\nStop the service, put the copy in place of the data folder, start it again.\n',
  ].join('\n\n'),
  'docs/users.md': [
    '# Users\n\n## Invite\n\nSend a colleague a link; it expires after three days.',
    '## Roles\n\nAn administrator may change everything, a reader may only search.\n',
  ].join('\n\n'),
  'docs/sub/network.md': [
    '# Network\n\n## Ports\n\nThe service listens on port 8080.',
    '## Proxy\n\nSet HTTPS_PROXY where the machine has no direct way out.\n',
  ].join('\n\n'),
};

/** What the release that wrote the database answered: the best hit of each query. */
const ANSWERS = {
  'restore the database': 'backup.md: Stop the service, put the copy in place of the data folder, start it again.',
  'invite a colleague': 'users.md: Send a colleague a link; it expires after three days.',
  'proxy port 8080': 'sub/network.md: The service listens on port 8080.',
  'rotate keys': 'note: Rotate the keys every month.',
  '"data folder"': 'backup.md: Stop the service, put the copy in place of the data folder, start it again.',
};

/**
 * A database that the last release with schema 6 wrote, beside its folder: `DOCS` with an HNSW graph, a text under the
 * key `note`, and a bot `support` with an indexed and a stored upload. Its model is a hash embedder of 16 dimensions.
 */
function earlierDatabase(): { database: string; docs: string } {
  const folder = folderOf(DOCS);
  const database = path.join(folder, 'waymark.db');
  writeFileSync(database, gunzipSync(readFileSync(new URL('schema-6.db.gz', import.meta.url))));
  return { database, docs: path.join(folder, 'docs') };
}

function versionOf(database: string): unknown {
  const connection = new Sqlite(database, { readonly: true });
  try {
    return connection.pragma('user_version', { simple: true });
  } finally {
    connection.close();
  }
}

/** The best hit of each query, and its score. */
async function bestHits(engine: SearchEngine) {
  const queries = Object.keys(ANSWERS);
  const hits = await Promise.all(queries.map(async (query) => (await engine.search(query, { limit: 1 }))[0]));
  return {
    answers: Object.fromEntries(hits.map((hit, i) => [queries[i], `${hit?.file.key}: ${hit?.passage.content}`])),
    scores: hits.map((hit) => hit?.score),
  };
}

test('a database of the last release is migrated, answers as before and embeds nothing again', async () => {
  const { database, docs } = earlierDatabase();
  expect(versionOf(database)).toBe(6);
  for (const index of ['exact', 'hnsw'] as const) {
    const { embedder, embedded } = recordingEmbedder(createHashEmbedder({ dimensions: 16 }));
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    const engine = await engineOf({ database, model: embedder, index, onWarning });
    const before = await bestHits(engine);
    expect(before.answers).toEqual(ANSWERS);
    // Its files are cut again, once.
    const updated = index === 'exact' ? 3 : 0;
    expect(await engine.indexFolder(docs)).toMatchObject({ added: 0, updated, removed: 0, unchanged: 3 - updated });
    expect(await bestHits(engine)).toEqual(before);
    await engine.close();
    expect([embedded, warnings]).toEqual([[], []]);
  }
  expect(versionOf(database)).toBe(MIGRATIONS.length);
  const { findings } = await examine({ database, model: createHashEmbedder({ dimensions: 16 }) });
  expect(findings.filter(({ state }) => state !== 'ok')).toEqual([]);
});

test('the bots and uploads of a database of the last release are kept', async () => {
  const { database } = earlierDatabase();
  const { embedder, embedded } = recordingEmbedder(createHashEmbedder({ dimensions: 16 }));
  const host = await openHost({ database, model: embedder });
  onTestFinished(() => host.close());
  const files = await host.bot('support');
  const listed = await files.listFiles({ sortField: 'key', sortDirection: 'asc' });
  expect(listed.files.map(({ key, status, tags }) => [key, status, tags])).toEqual([
    ['keys.md', 'indexing_completed', { kind: 'guide' }],
    ['raw.bin', 'upload_completed', {}],
  ]);
  expect(await (await files.content('raw.bin')).bytes()).toEqual(Buffer.of(255, 0, 1));
  const { passages } = await files.searchFiles({ query: 'rotate keys', contextDepth: 0 });
  expect(passages.map(({ content }) => content)).toEqual(['Rotate the keys.']);
  expect(embedded).toEqual([]);
});
