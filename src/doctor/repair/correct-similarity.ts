import { differingSimilarity } from '../checks/model.js';
import type { BotContext } from '../context.js';

/** Corrects the recorded similarity scale of a bot's model. Returns a sentence if it was wrong. */
export async function correctSimilarity(context: BotContext): Promise<string[]> {
  const { embedder, recorded, models } = context;
  const measured = await differingSimilarity(context);
  if (!embedder || !recorded || !measured) return [];
  await models.setSimilarity(recorded.fingerprint, measured);
  return [`Measured the similarity scale of ${embedder.card.id} again.`];
}
