import type { Cluster } from '../connection/cluster.js';
import { Records } from '../records/records.js';
import { ACCOUNTS } from '../schema/collections.js';
import { ofBot } from '../schema/tenants.js';
import type { FileHead } from './file-head.js';

/** The expiry time of a file that never expires, in milliseconds since the epoch. */
export const NEVER = 1e15;

/** What is known of a file without its bot. */
export interface AccountFile {
  readonly bot: string;
}

/** The reference of the records of files that wait to be indexed. */
export const PENDING = 'pending';

/** One small record for each file of all bots, by the file's id: what must be known across bots. */
export function accountFiles(cluster: Cluster): Records<AccountFile> {
  return new Records<AccountFile>(cluster, { collection: ACCOUNTS, kind: 'file' });
}

/** When a file expires, in milliseconds since the epoch. */
export function expiryOf({ expiresAt }: Pick<FileHead, 'expiresAt'>): number {
  return expiresAt === undefined ? NEVER : Date.parse(expiresAt);
}

/** Whether two states of a file have the same record. */
export function isSameAccountFile(a: FileHead | undefined, b: FileHead | undefined): boolean {
  return a !== undefined && b !== undefined && factsOf(a) === factsOf(b);
}

/** Whether a record must be found as soon as its head is: the file is to be indexed, or to be removed in time. */
export function isUrgent(head: FileHead): boolean {
  return isPending(head) || head.expiresAt !== undefined;
}

/** Writes the record of a file. */
export async function putAccountFile(cluster: Cluster, bot: string, head: FileHead): Promise<void> {
  const refs = [ofBot(bot), ...(isPending(head) ? [PENDING] : [])];
  await accountFiles(cluster).put({ id: head.id, body: { bot }, refs, stamp: expiryOf(head) });
}

function isPending({ status }: FileHead): boolean {
  return status === 'indexing_pending';
}

function factsOf(head: FileHead): string {
  return JSON.stringify([head.id, isPending(head), expiryOf(head)]);
}
