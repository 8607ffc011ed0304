import { reasonOf } from '../../domain/errors.js';
import { Snapshots } from '../../sqlite/embeddings/snapshots.js';
import { readSnapshot } from '../../vectors/hnsw/hnsw-snapshot.js';
import type { BotContext } from '../context.js';
import { type Finding, REPAIR } from '../finding.js';

/** Checks the stored HNSW graph. */
export async function checkSnapshot(context: BotContext): Promise<Finding> {
  const about = { check: 'snapshot', bot: context.bot.name } as const;
  const snapshot = await snapshotsOf(context).read();
  if (!snapshot) return { ...about, state: 'ok', message: 'No HNSW snapshot is stored, and none is needed.' };
  const fault =
    snapshot === 'damaged'
      ? 'its checksum differs'
      : (aheadOfLog(context) ?? (await faultOf(snapshot.bytes, context.recorded?.dimensions ?? 0)));
  if (fault === undefined) return { ...about, state: 'ok', message: 'The HNSW snapshot is intact.' };
  const message = `The HNSW snapshot is damaged (${fault}): until it is repaired, the graph is rebuilt in memory.`;
  return { ...about, state: 'damaged', message, remedy: REPAIR };
}

/** How the stored graph is ahead of the change log; undefined if it is not. */
export function aheadOfLog(context: BotContext): string | undefined {
  const { connection, bot } = context;
  const lastChange = connection
    .prepare<[number], number>(`SELECT coalesce(max(sequence), 0) FROM changes WHERE bot = ?`)
    .pluck()
    .get(bot.number);
  const sequence = snapshotsOf(context).sequence();
  if (sequence === undefined || lastChange === undefined || sequence <= lastChange) return undefined;
  return `it includes change ${sequence}, but the last change is ${lastChange}`;
}

function snapshotsOf({ connection, bot }: BotContext): Snapshots {
  return new Snapshots(connection, bot.number);
}

async function faultOf(bytes: Uint8Array, dimensions: number): Promise<string | undefined> {
  try {
    await readSnapshot(bytes, dimensions);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}
