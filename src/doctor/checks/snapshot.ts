import { reasonOf } from '../../domain/errors.js';
import { Snapshots } from '../../sqlite/embeddings/snapshots.js';
import { readSnapshot } from '../../vectors/hnsw/hnsw-snapshot.js';
import type { BotContext } from '../context.js';
import { type Finding, REPAIR } from '../finding.js';

/** Checks the stored HNSW graph. */
export function checkSnapshot({ connection, bot, recorded }: BotContext): Finding {
  const about = { check: 'snapshot', bot: bot.name } as const;
  const snapshot = new Snapshots(connection, bot.number).read();
  if (!snapshot) return { ...about, state: 'ok', message: 'No HNSW snapshot is stored, and none is needed.' };
  const lastChange = Number(
    connection.prepare(`SELECT coalesce(max(sequence), 0) FROM changes WHERE bot = ?`).pluck().get(bot.number),
  );
  const dimensions = recorded?.dimensions ?? 0;
  const fault =
    snapshot === 'damaged' ? 'its checksum differs' : faultOf(snapshot.bytes, { ...snapshot, lastChange, dimensions });
  if (fault === undefined) return { ...about, state: 'ok', message: 'The HNSW snapshot is intact.' };
  const message = `The HNSW snapshot is damaged (${fault}): until it is repaired, the graph is rebuilt in memory.`;
  return { ...about, state: 'damaged', message, remedy: REPAIR };
}

function faultOf(
  bytes: Uint8Array,
  { sequence, lastChange, dimensions }: { sequence: number; lastChange: number; dimensions: number },
): string | undefined {
  if (sequence > lastChange) return `it includes change ${sequence}, but the last change is ${lastChange}`;
  try {
    readSnapshot(bytes, dimensions);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}
