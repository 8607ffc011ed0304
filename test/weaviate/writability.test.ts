import { expect, test } from 'vitest';
import { type NodeShards, Writability } from '#src/weaviate/connection/writability.js';

const READY: NodeShards = { name: 'node1', shards: [{ vectorIndexingStatus: 'READY' }] };
const FULL: NodeShards = { name: 'node2', shards: [{ vectorIndexingStatus: 'READONLY' }] };
const DOWN: NodeShards = { name: 'node3', shards: null };

test('a cluster takes changes while no node is read-only, and whatever nodes are down', async () => {
  let checks = 0;
  const writability = new Writability(async () => {
    checks += 1;
    return [READY, DOWN];
  });
  for (let writes = 0; writes < 3; writes++) await writability.check();
  expect(checks).toBe(1);
});

test('nodes that are read-only are named', async () => {
  const writability = new Writability(async () => [READY, FULL, { ...FULL, name: 'node4' }]);
  await expect(writability.check()).rejects.toMatchObject({
    code: 'DISK_FULL',
    message:
      'The disk of node2 and node4 in the cluster is nearly full, and takes no changes: free space on it, and ' +
      'restart the node.',
  });
});

test('a check that fails, or does not end, delays no write', async () => {
  await new Writability(async () => Promise.reject(new Error('cut off'))).check();
  await new Writability(() => new Promise(() => {})).check();
});
