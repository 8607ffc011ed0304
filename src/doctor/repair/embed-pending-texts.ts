import { counted } from '../../contract/wording.js';
import { embedPending } from '../../indexing/embedding/embed-pending.js';
import { ProgressMeter } from '../../indexing/progress.js';
import { Embeddings } from '../../sqlite/embeddings/embeddings.js';
import { type BotContext, isSameModel } from '../context.js';

/** Embeds all pending texts of a bot's model. Returns a sentence if there were any. */
export async function embedPendingTexts(context: BotContext): Promise<string[]> {
  const { connection, bot, recorded, embedder, signal } = context;
  if (!recorded || !embedder || !isSameModel(context)) return [];
  const embeddings = new Embeddings(connection, { bot: bot.number, model: recorded });
  const count = embeddings.countPending();
  if (count === 0) return [];
  await embedPending({
    store: {
      pending: async (page) => embeddings.pending(page),
      countPending: async () => embeddings.countPending(),
      putEmbeddings: (embedded) => connection.write(() => embeddings.put(embedded)),
    },
    embedder,
    meter: new ProgressMeter(undefined),
    signal,
  });
  return [`Embedded ${counted(count, 'text')} with ${embedder.card.id}.`];
}
