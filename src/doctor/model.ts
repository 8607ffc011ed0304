import { measureSimilarity } from '../embed/similarity-scale.js';
import { type BotContext, isSameModel } from './context.js';
import { type Finding, REPAIR } from './finding.js';

/** Whether the model that would be opened is the one that the bot's files were embedded with. */
export async function checkModel(context: BotContext): Promise<Finding> {
  const { bot, recorded, embedder, failure } = context;
  const about = { check: 'model', bot: bot.name } as const;
  if (!embedder) {
    const message = `The model of bot "${bot.name}"${recorded ? `, ${recorded.name},` : ''} cannot be opened: ${failure?.message}`;
    return {
      ...about,
      state: 'damaged',
      message,
      remedy: 'put the model back where it was, or index into another bot',
    };
  }
  const { id, fingerprint } = embedder.card;
  if (!recorded) return { ...about, state: 'ok', message: `Nothing is embedded yet; ${id} would embed.` };
  if (!isSameModel(context)) {
    const message = `The files were embedded with ${recorded.name} (${short(recorded.fingerprint)}), and ${id} (${short(fingerprint)}) would be opened.`;
    const remedy = `restore the files of ${recorded.name}, or index with ${id} into another bot`;
    return { ...about, state: 'damaged', message, remedy };
  }
  if (await hasOtherScale(context, recorded.fingerprint)) {
    const message = `What was measured of the cosines of ${id} is not what is measured now: scores are off.`;
    return { ...about, state: 'damaged', message, remedy: REPAIR };
  }
  return { ...about, state: 'ok', message: `${id} (${short(fingerprint)}) is what the files were embedded with.` };
}

async function hasOtherScale({ embedder, models }: BotContext, fingerprint: string): Promise<boolean> {
  const scale = await models.similarity(fingerprint);
  if (!embedder || embedder.card.similarity || !scale) return false;
  const measured = await measureSimilarity(embedder);
  return measured.unrelated !== scale.unrelated || measured.related !== scale.related;
}

function short(fingerprint: string): string {
  return fingerprint.slice(0, 12);
}
