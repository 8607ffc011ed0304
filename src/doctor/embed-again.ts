import { Embeddings } from '../sqlite/embeddings/embeddings.js';
import { checkEmbedding } from '../vectors/vector-index.js';
import { counted } from './finding.js';
import { type BotPatient, isSameModel } from './patient.js';

/** Texts embedded and written together. */
const BATCH = 32;

/** Embeds what waits for it, a text that an interrupted run has left as well; what was done. */
export async function embedAgain(patient: BotPatient): Promise<string[]> {
  const { database, bot, recorded, embedder } = patient;
  if (!recorded || !embedder || !isSameModel(patient)) return [];
  const embeddings = new Embeddings(database, { bot: bot.number, model: recorded });
  let count = 0;
  for (let after = 0; ; ) {
    const texts = embeddings.pending({ after, limit: BATCH });
    const last = texts.at(-1);
    if (!last) break;
    const vectors = await embedder.embedPassages(texts.map(({ text }) => text));
    for (const vector of vectors) checkEmbedding(vector, recorded.dimensions);
    const put = database.transaction(() =>
      embeddings.put(texts.flatMap(({ id }, i) => (vectors[i] ? [{ id, embedding: vectors[i] }] : []))),
    );
    put.immediate();
    count += texts.length;
    after = last.id;
  }
  return count === 0 ? [] : [`Embedded ${counted(count, 'text')} with ${embedder.card.id}.`];
}
