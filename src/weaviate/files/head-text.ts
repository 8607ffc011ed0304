import { createHash } from 'node:crypto';
import { WaymarkError } from '../../domain/errors.js';
import type { ContentPieces } from '../contents/content-pieces.js';
import type { FileHead } from './file-head.js';
import type { FileHeads } from './file-heads.js';

/** Where a head and its text are. */
export interface TextPlace {
  readonly heads: FileHeads;
  readonly contents: ContentPieces;
}

/**
 * The text that a head names; undefined if it names none, or if its file has another one by now. Throws
 * `DATABASE_DAMAGED` if the node that is asked does not have it whole.
 */
export async function textOfHead(head: FileHead, { heads, contents }: TextPlace): Promise<string | undefined> {
  if (head.generation === null) return undefined;
  const text = await contents.textOf(head.generation);
  if (text !== undefined && createHash('sha256').update(text).digest('hex') === head.hash) return text;
  await assertReplaced(head, heads);
  return undefined;
}

/**
 * Call it if something is missing that a head names. Throws `DATABASE_DAMAGED` unless the file is gone, or has another
 * generation by now.
 */
export async function assertReplaced(head: FileHead, heads: FileHeads): Promise<void> {
  if ((await heads.find(head.key))?.generation !== head.generation) return;
  // A node that was away may lack some of it for a while.
  const message =
    `Parts of "${head.key}" are missing in the cluster: try again once all nodes are up, ` +
    'or upload or index the file again.';
  throw new WaymarkError('DATABASE_DAMAGED', message);
}
