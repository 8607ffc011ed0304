import { randomBytes, randomUUID } from 'node:crypto';
import type { Cluster } from '../connection/cluster.js';
import { Records } from '../records/records.js';
import { ACCOUNTS } from '../schema/collections.js';

/** Bytes of the key: 256 random bits. */
const SIZE = 32;

/**
 * The key that addresses of contents are signed with, made by the first process that asks. If several make one at once,
 * the oldest counts, by their clocks: a process that did not see it signs with its own until it starts again.
 */
export async function signingKey(cluster: Cluster): Promise<Uint8Array> {
  const records = signingKeys(cluster);
  const [known] = await records.first(1);
  if (known !== undefined) return Buffer.from(known, 'hex');
  const made = randomBytes(SIZE);
  await records.put({ id: randomUUID(), body: made.toString('hex'), stamp: Date.now() });
  const [oldest] = await records.first(1);
  return oldest === undefined ? made : Buffer.from(oldest, 'hex');
}

/** Sets the key. Processes that are running go on with the former one. */
export async function putSigningKey(cluster: Cluster, key: Uint8Array): Promise<void> {
  // Older than any that a process makes, and the same record each time.
  await signingKeys(cluster).put({ id: 'given', body: Buffer.from(key).toString('hex'), stamp: 0 });
}

function signingKeys(cluster: Cluster): Records<string> {
  return new Records<string>(cluster, { collection: ACCOUNTS, kind: 'signing-key' });
}
