import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, openEngine } from 'waymark';
import { waymark } from '../support/command.js';
import { folderOf } from '../support/folder.js';
import { CLUSTER } from '../support/place.js';

interface Described {
  readonly version: string;
  /** As Weaviate describes them. */
  readonly classes?: readonly object[];
}

/** The address of a server that answers like a node of a given version with given collections. */
async function nodeOf({ version, classes = [] }: Described): Promise<string> {
  const answers: Readonly<Record<string, object>> = {
    '/v1/meta': { hostname: 'http://[::]:8080', modules: {}, version },
    '/v1/nodes': { nodes: [{ name: 'node1', status: 'HEALTHY', version, gitHash: '', shards: null }] },
    '/v1/schema': { classes },
  };
  const server = createServer((request, response) => {
    const answer = answers[new URL(request.url ?? '', 'http://node').pathname];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}?grpc=${port}`;
}

/** The collections of the shared cluster, as another release would have described them. */
async function ofOtherRelease(): Promise<readonly object[]> {
  const engine = await openEngine({ cluster: CLUSTER, model: createHashEmbedder() });
  await engine.close();
  const schema = await fetch(new URL('/v1/schema', CLUSTER?.hosts[0]));
  return JSON.parse((await schema.text()).replaceAll('release 1 of', 'release 999 of')).classes;
}

const REFUSED: readonly (readonly [name: string, () => Promise<Described>, message: string])[] = [
  [
    'a Weaviate that is too old',
    async () => ({ version: '1.24.26' }),
    'Node node1 runs Weaviate 1.24.26, but Waymark needs 1.35 or later: update the cluster.',
  ],
  [
    'a Weaviate that is one release too old',
    async () => ({ version: '1.34.9' }),
    'Node node1 runs Weaviate 1.34.9, but Waymark needs 1.35 or later: update the cluster.',
  ],
  [
    'a schema of another release',
    async () => ({ version: '1.35.2', classes: await ofOtherRelease() }),
    'The collection WaymarkAccounts has the description "Waymark, release 999 of the schema", but this release ' +
      'of Waymark reads "Waymark, release 1 of the schema": use the release that wrote it.',
  ],
];

test.each(REFUSED)('%s is refused by the engine and by the command', async (_, described, message) => {
  const host = await nodeOf(await described());
  const opened = openEngine({ cluster: { hosts: [host] }, model: createHashEmbedder() });
  await expect(opened).rejects.toMatchObject({ code: 'CLUSTER_INCOMPATIBLE', message });
  for (const command of [['search', 'pump'], ['doctor']]) {
    const { code, stdout, stderr } = await waymark([...command, '--cluster', host], { cwd: folderOf() });
    expect([stdout, code]).toEqual(['', expect.any(Number)]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }
});

test('a server that is not Weaviate is refused with one clear error', async () => {
  const server = createServer((_, response) => response.writeHead(404).end('no such page'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
  });
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const opened = openEngine({ cluster: { hosts: [host] }, model: createHashEmbedder() });
  await expect(opened).rejects.toMatchObject({
    code: expect.stringMatching(/^CLUSTER_(?:FAILED|UNAVAILABLE)$/),
    message: expect.stringContaining(`The cluster is ${host}.`),
  });
});
