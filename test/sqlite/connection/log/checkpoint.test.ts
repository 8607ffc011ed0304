import { statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { fileToPut, putNow } from '../../../support/file-to-put.js';
import { storeOf } from '../../../support/store.js';

/** A file that is written in portions, in a log of some megabytes. */
const LARGE = fileToPut(
  'a.md',
  Array.from({ length: 2000 }, (_, i) => `${i} plums`),
);

/** A file of 20 MB. */
const VERY_LARGE = fileToPut(
  'b.md',
  Array.from({ length: 1000 }, (_, i) => `${i}${' plums'.repeat(3400)}`),
);

test('a log of more than 16 MB is moved into the database on a thread, and the next write shortens it', async () => {
  const { store, connection, file } = await storeOf();
  let threads = 0;
  const count = () => threads++;
  process.on('worker', count);
  onTestFinished(() => void process.off('worker', count));
  await putNow(store, LARGE);
  expect(threads).toBe(0);
  await putNow(store, VERY_LARGE);
  expect(threads).toBe(1);
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(16_000_000);
  const [moved] = connection.pragmaRows<Record<'log' | 'checkpointed', number>>('wal_checkpoint');
  expect(moved?.checkpointed).toBe(moved?.log);
  await putNow(store, fileToPut('c.md', ['2 pears']));
  expect(statSync(`${file}-wal`).size).toBeLessThanOrEqual(16_000_000);
});

test('a large file is stored even if the system starts no thread for its log', async () => {
  const { store } = await storeOf();
  const { Worker } = threads;
  const setWorker = (worker: unknown) => {
    Object.assign(threads, { Worker: worker });
    syncBuiltinESMExports();
  };
  onTestFinished(() => setWorker(Worker));
  let refused = 0;
  setWorker(function refuse() {
    refused += 1;
    throw new Error('Resource temporarily unavailable');
  });
  await putNow(store, VERY_LARGE);
  expect([refused, await store.file('b.md')]).toEqual([1, expect.objectContaining({ key: 'b.md' })]);
});
