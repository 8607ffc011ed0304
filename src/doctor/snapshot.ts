import { Snapshots } from '../sqlite/embeddings/snapshots.js';
import { readSnapshot } from '../vectors/hnsw/hnsw-snapshot.js';
import type { BotContext } from './context.js';
import { type Finding, REPAIR } from './finding.js';

/** Whether the stored HNSW graph is as it was written, and how far it reaches. */
export function checkSnapshot({ connection, bot, recorded }: BotContext): Finding {
  const about = { check: 'snapshot', bot: bot.name } as const;
  const snapshots = new Snapshots(connection, bot.number);
  const snapshot = snapshots.read();
  if (!snapshot) return { ...about, state: 'ok', message: 'There is no HNSW snapshot, and none is needed.' };
  const last = Number(
    connection.prepare(`SELECT coalesce(max(sequence), 0) FROM changes WHERE bot = ?`).pluck().get(bot.number),
  );
  const fault = snapshot === 'damaged' ? 'it is not as it was written' : faultOf(snapshot, { recorded, last });
  if (fault === undefined) return { ...about, state: 'ok', message: 'The HNSW snapshot is as it was written.' };
  const message = `The HNSW snapshot is damaged (${fault}): it is passed over, and the graph is made again.`;
  return { ...about, state: 'damaged', message, remedy: REPAIR };
}

function faultOf(
  { bytes, sequence }: { bytes: Uint8Array; sequence: number },
  { recorded, last }: { recorded: BotContext['recorded']; last: number },
): string | undefined {
  if (sequence > last) return `it is of change ${sequence}, and the last is ${last}`;
  try {
    readSnapshot(bytes, recorded?.dimensions ?? 0);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
