import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { copyDatabase, createHashEmbedder, examine, openEngine, openHost, type SearchEngine } from 'waymark';
import { WeaviateAccounts } from '#src/weaviate/accounts/weaviate-accounts.js';
import { Cluster as Connection } from '#src/weaviate/connection/cluster.js';
import { PassageObjects } from '#src/weaviate/passages/passage-objects.js';
import { BOT_COLLECTIONS, PASSAGES } from '#src/weaviate/schema/collections.js';
import { passagesTenant } from '#src/weaviate/schema/tenants.js';
import { folderOf } from '../support/folder.js';
import { type Cluster, startCluster } from './start.js';

/** A node never catches up by itself, so that it lacks what it missed. */
const NEVER_CATCH_UP = { ASYNC_REPLICATION_DISABLED: 'true' };

const model = createHashEmbedder();

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ env: NEVER_CATCH_UP });
  // Creates the collections.
  await (await openEngine({ cluster: { hosts: hostsOf(0) }, model })).close();
});

afterAll(() => cluster?.stop());

function hostsOf(...nodes: number[]): string[] {
  const all = cluster.hosts.map(({ http, grpc }) => `http://${http}?grpc=${grpc}`);
  return nodes.map((node) => all[node] as string);
}

async function open(...nodes: number[]): Promise<SearchEngine> {
  const engine = await openEngine({ cluster: { hosts: hostsOf(...nodes) }, model });
  onTestFinished(() => engine.close());
  return engine;
}

/** Works while the last node is away. */
async function withoutLast(work: () => Promise<void>): Promise<void> {
  await cluster.kill(2);
  await work();
  await cluster.restart(2);
}

/** The id of the file with a text. */
async function idOf(engine: SearchEngine, text: string): Promise<string | undefined> {
  const [hit] = await engine.search(text, { mode: 'lexical' });
  return hit?.file.id;
}

test('a node that was away accepts a token that it missed', async () => {
  const host = await openHost({ cluster: { hosts: hostsOf(0, 1) }, model });
  onTestFinished(() => host.close());
  const { id: workspaceId } = await host.createWorkspace('acme');
  let token = '';
  await withoutLast(async () => {
    ({ token } = await host.createToken({ workspaceId, name: 'site', role: 'search' }));
  });
  const behind = await openHost({ cluster: { hosts: hostsOf(2) }, model });
  onTestFinished(() => behind.close());
  expect(await behind.authenticate(token)).toMatchObject({ name: 'site' });
});

test('doctor --repair on a node that was away removes no passages of files that it missed', async () => {
  const engine = await open(0, 1);
  await withoutLast(async () => {
    await engine.indexFile('b.md', 'A cherry.');
  });
  await bringPassages();
  await examine({ cluster: { hosts: hostsOf(2) }, repair: true });
  expect(await idOf(engine, 'cherry')).toMatch(/^file_/);
});

test('a copy from a node that was away, with --delete, removes no file that it missed', async () => {
  const engine = await open(0, 1);
  await withoutLast(async () => {
    await engine.indexFile('c.md', 'A mango.');
  });
  const to = { database: path.join(folderOf(), 'waymark.db') };
  await copyDatabase({ from: { cluster: { hosts: hostsOf(0, 1) } }, to, model });
  await copyDatabase({ from: { cluster: { hosts: hostsOf(2) } }, to, model, delete: true });
  const copied = await openEngine({ ...to, model });
  onTestFinished(() => copied.close());
  expect(await copied.hasFile('c.md')).toBe(true);
});

test('reads repair the objects that a node missed while it was away, with all their properties', async () => {
  const engine = await open(0, 1);
  await withoutLast(async () => {
    await engine.indexFile('d.md', '# Fruit\n\nA papaya is ripe.\n\n# Tree\n\nA palm has no branches.', {
      tags: { part: 'garden' },
    });
  });
  const reading = await openEngine({ cluster: { hosts: hostsOf(0), consistency: 'ALL' }, model });
  onTestFinished(() => reading.close());
  const [hit] = await reading.search('papaya', { tags: { part: 'garden' } });
  await reading.passagesOf(String(hit?.file.id), { from: 0, to: 1 });
  await reading.readFile('d.md');
  await reading.indexFile('e.md', '# Fruit\n\nA papaya is ripe.');
  const [repaired, stored] = [await objectsOf(2), await objectsOf(0)];
  expect(repaired.size).toBeGreaterThan(0);
  for (const [id, object] of repaired) expect(object).toEqual(stored.get(id));
});

test('a node that was away accepts the former text of a file that was replaced meanwhile', async () => {
  const engine = await open(0, 1);
  await engine.indexFile('f.md', 'A quince.');
  await withoutLast(async () => {
    await engine.indexFile('f.md', 'A medlar.');
  });
  const behind = await open(2);
  expect(await behind.indexFile('f.md', 'A quince.')).toMatchObject({ outcome: 'updated' });
  expect((await engine.readFile('f.md'))?.text).toBe('A quince.');
});

/** All objects of the bot that a node has, by id. */
async function objectsOf(node: number): Promise<Map<string, object>> {
  const connection = await Connection.open({ hosts: hostsOf(node), consistency: 'ONE' });
  const bot = String((await new WeaviateAccounts(connection).bots.find('default'))?.id);
  const tenants = [
    ...BOT_COLLECTIONS.map((name) => [name, bot] as const),
    [PASSAGES, passagesTenant(bot, model.card.fingerprint)] as const,
  ];
  const found = await connection.roundTrip((find) =>
    Promise.all(tenants.map(([name, tenant]) => find(name, tenant).query.fetchObjects({ includeVector: true }))),
  );
  connection.close();
  return new Map(
    found.flatMap(({ objects }) => objects).map(({ uuid, properties, vectors }) => [uuid, { properties, vectors }]),
  );
}

/** Gives all nodes all passages: a node may get them before the heads of their files. */
async function bringPassages(): Promise<void> {
  const connection = await Connection.open({ hosts: hostsOf(0) });
  const bot = await new WeaviateAccounts(connection).bots.find('default');
  const objects = new PassageObjects(connection, passagesTenant(String(bot?.id), model.card.fingerprint));
  const passages = await objects.trip((of) => objects.where(of, of.filter.byProperty('position').equal(0)));
  await objects.insert(
    passages.map(({ objectId, properties, vector }) => ({
      ...{ id: objectId, properties: { ...properties }, vector: vector && Float32Array.from(vector) },
    })),
  );
  connection.close();
}
