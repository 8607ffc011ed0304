import { describe, expect, it, onTestFinished } from 'vitest';
import { createHashEmbedder, openHost, reembed } from 'waymark';
import { heldEmbedder } from '../support/held-embedder.js';
import { newBot } from '../support/new-bot.js';
import { answers, answersBefore, complaints, damage, examined, indexed, REPAIR } from './damaged-database.js';

/** A closed database with a bot in a workspace, a token, a knowledge base, an announced file, and staged files. */
async function servedDatabase(): Promise<string> {
  const database = await indexed();
  const host = await openHost({ database, model: createHashEmbedder() });
  const { files, workspaceId } = await newBot(host);
  await host.createToken({ workspaceId, name: 'reader', role: 'search' });
  await files.createKnowledgeBase({ name: 'Guides' });
  await files.upsertFile({ key: 'later.md', size: 3, tags: { kind: 'guide' }, index: true });
  await host.close();
  const stopping = new AbortController();
  const { embedder, asked } = heldEmbedder({ hash: createHashEmbedder({ name: 'new' }) });
  const staging = reembed({ database, model: embedder, signal: stopping.signal });
  await asked;
  stopping.abort();
  await expect(staging).rejects.toMatchObject({ code: 'ABORTED' });
  return database;
}

describe('rows that refer to missing rows are found, and removed by a repair', () => {
  it.each([
    ['tokens', `UPDATE tokens SET workspace = 'x'`],
    ['knowledge_bases', `UPDATE knowledge_bases SET bot = 70`],
    ['folders', `UPDATE folders SET bot = 70`],
    ['snapshots', `UPDATE snapshots SET bot = 70`],
    ['snapshot_parts', `UPDATE snapshot_parts SET bot = 70`],
    ['uploads', `UPDATE uploads SET file = 70`],
    ['reembeddings', `UPDATE reembeddings SET model = 70`],
    ['staged_files', `UPDATE staged_files SET bot = 70 WHERE file = 1`],
    ['staged_passages', `UPDATE staged_passages SET file = 70 WHERE number = 1`],
    ['staged_passages', `UPDATE staged_passages SET embedding = 70 WHERE number = 1`],
  ])('%s: %s', async (table, sql) => {
    const database = await servedDatabase();
    expect(complaints(await examined(database))).toEqual([]);
    damage(database, sql);
    expect(complaints(await examined(database))[0]).toBe(
      `structure damaged: The database is damaged: ${table} refers to missing rows. Next: ${REPAIR}`,
    );
    const { repaired, ...after } = await examined(database, { repair: true });
    expect([complaints({ repaired, ...after }), repaired[0]]).toEqual([
      [],
      expect.stringMatching(new RegExp(`^Removed \\d rows? of ${table} that referred to missing rows\\.$`)),
    ]);
    expect(await answers(database)).toEqual(await answersBefore());
  });

  it('but a missing workspace that has bots is created again, with their tokens', async () => {
    const database = await servedDatabase();
    damage(database, `UPDATE workspaces SET id = 'x' WHERE name = 'acme'`);
    const { repaired, ...after } = await examined(database, { repair: true });
    expect(complaints({ repaired, ...after })).toEqual([]);
    expect(repaired).toEqual([expect.stringMatching(/^Restored the workspace \S+, without its name\.$/)]);
    const host = await openHost({ database, model: createHashEmbedder() });
    onTestFinished(() => host.close());
    const [{ workspaceId } = { workspaceId: '' }] = await host.listTokens();
    expect((await (await host.workspace(workspaceId)).listBots()).bots.map(({ name }) => name)).toEqual(['support']);
  });

  it.each([
    ['files refers to missing bots', `UPDATE files SET bot = 70 WHERE key = 'keys.md'`],
    ['bots refers to missing models', `UPDATE bots SET model = 70 WHERE name = 'default'`],
  ])('and no repair is advised if none can help: %s', async (fault, sql) => {
    const database = await indexed();
    damage(database, sql);
    expect(complaints(await examined(database))).toEqual([
      `structure damaged: The database is malformed: ${fault}. Next: index again into a new file with --database; texts that came from no folder are lost`,
    ]);
  });
});

it.each(['uploads_by_expiry', 'staged_files_by_bot', 'staged_passages_by_file', 'knowledge_bases_by_bot'])(
  'the index %s is rebuilt',
  async (index) => {
    const database = await servedDatabase();
    // An index whose condition SQLite does not know has too many entries.
    damage(database, (connection) => {
      const sql = connection
        .prepare<[string], string>(`SELECT sql FROM sqlite_schema WHERE name = ?`)
        .pluck()
        .get(index);
      connection.exec(`DROP INDEX ${index}; ${sql} WHERE FALSE`);
      connection.pragma('writable_schema = ON');
      connection.prepare(`UPDATE sqlite_schema SET sql = ? WHERE name = ?`).run(sql, index);
    });
    expect(complaints(await examined(database))).toEqual([
      `structure damaged: The database is damaged: the index ${index} does not match its table. Next: ${REPAIR}`,
    ]);
    const { repaired, ...after } = await examined(database, { repair: true });
    expect([complaints({ repaired, ...after }), repaired]).toEqual([[], ['Rebuilt the indexes of the tables.']]);
  },
);

it('an announced file whose row is damaged is reported with what helps: no repair can restore it', async () => {
  const database = await servedDatabase();
  damage(database, `UPDATE files SET metadata = '{"n":1}' WHERE key = 'later.md'`);
  const found = [
    'files damaged: 1 of 1 file is damaged: later.md (record). Next: index or upload later.md again, or remove it with: waymark remove <key>',
  ];
  expect(complaints(await examined(database))).toEqual(found);
  const { repaired, ...after } = await examined(database, { repair: true });
  expect([complaints({ repaired, ...after }), repaired]).toEqual([found, []]);
});
