import { counted } from '../../contract/wording.js';
import { embedPending, type RejectedText } from '../../indexing/embedding/embed-pending.js';
import { ProgressMeter } from '../../indexing/progress.js';
import { Embeddings } from '../../sqlite/embeddings/embeddings.js';
import type { PendingTexts } from '../../storage/passage-store.js';
import { type BotContext, isSameModel } from '../context.js';

/** Embeds all pending texts of a bot's model. Returns a sentence if there were any, and one for each rejected text. */
export async function embedPendingTexts(context: BotContext): Promise<string[]> {
  const { connection, bot, recorded, embedder, signal } = context;
  if (!recorded || !embedder || !isSameModel(context)) return [];
  const embeddings = new Embeddings(connection, { bot: bot.number, model: recorded });
  let count = 0;
  const store: PendingTexts = {
    pending: async (page) => embeddings.pending(page),
    countPending: async () => embeddings.countPending(),
    async putEmbeddings(embedded) {
      await connection.write(() => embeddings.put(embedded));
      count += embedded.length;
    },
  };
  const rejected: RejectedText[] = [];
  const meter = new ProgressMeter(undefined);
  await embedPending({ store, embedder, meter, signal, onRejected: (text) => rejected.push(text) });
  return [
    ...(count > 0 ? [`Embedded ${counted(count, 'text')} with ${embedder.card.id}.`] : []),
    ...rejected.map(({ id, reason }) => {
      const keys = embeddings.keysOf(id).join(', ');
      return `A passage of ${keys} is found by its words only: ${reason}`;
    }),
  ];
}
