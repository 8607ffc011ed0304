import { counted } from '../../contract/wording.js';
import { Embeddings } from '../../sqlite/embeddings/embeddings.js';
import { type BotContext, isSameModel } from '../context.js';

/** Texts embedded and written together. */
const BATCH = 32;

/** Embeds all pending texts of a bot's model. Returns a sentence if there were any. */
export async function embedPending(context: BotContext): Promise<string[]> {
  const { connection, bot, recorded, embedder, signal } = context;
  if (!recorded || !embedder || !isSameModel(context)) return [];
  const embeddings = new Embeddings(connection, { bot: bot.number, model: recorded });
  let count = 0;
  for (let after = 0; ; ) {
    const texts = embeddings.pending({ after, limit: BATCH });
    const last = texts.at(-1);
    if (!last) break;
    const vectors = await embedder.embedPassages(
      texts.map(({ text }) => text),
      { signal },
    );
    const embedded = texts.flatMap(({ id }, i) => (vectors[i] ? [{ id, embedding: vectors[i] }] : []));
    await connection.write(() => embeddings.put(embedded));
    count += texts.length;
    after = last.id;
  }
  return count === 0 ? [] : [`Embedded ${counted(count, 'text')} with ${embedder.card.id}.`];
}
