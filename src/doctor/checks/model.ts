import { untilAborted } from '../../domain/abortable.js';
import type { SimilarityScale } from '../../domain/similarity-scale.js';
import { measureSimilarity } from '../../embed/measure-similarity.js';
import { BUNDLED } from '../../embed/open-embedder.js';
import { isFormerDefault } from '../../engine/models/recorded-model.js';
import { type BotContext, isSameModel } from '../context.js';
import { type Finding, REPAIR } from '../finding.js';

/** Checks that an engine would open the model that the bot's files were embedded with. */
export async function checkModel(context: BotContext): Promise<Finding> {
  const { bot, recorded, embedder, failure } = context;
  const about = { check: 'model', bot: bot.name } as const;
  if (!embedder) {
    const name = recorded ? `The model ${recorded.id}` : 'The model';
    const message = `${name} of bot "${bot.name}" cannot be opened: ${failure?.message}`;
    return { ...about, state: 'damaged', message, remedy: 'restore the model, or index into another bot' };
  }
  const { id, fingerprint } = embedder.card;
  if (!recorded) return { ...about, state: 'ok', message: `Nothing is embedded yet; ${id} would be used.` };
  if (id === BUNDLED && isFormerDefault(recorded)) {
    const message =
      `The files were embedded with ${recorded.id}, the default model of an earlier version: ` +
      'until they are re-embedded, they are found by their words only.';
    return { ...about, state: 'warning', message, remedy: 're-embed them with: waymark index --reembed' };
  }
  if (!isSameModel(context)) {
    const embeddedWith = `${recorded.id} (${short(recorded.fingerprint)})`;
    const message = `The files were embedded with ${embeddedWith}, but ${id} (${short(fingerprint)}) would be opened.`;
    const remedy = `restore the files of ${recorded.id}, or re-embed with ${id}: waymark index --reembed`;
    return { ...about, state: 'damaged', message, remedy };
  }
  if (await differingSimilarity(context)) {
    const message = `The recorded similarity scale of ${id} differs from its measurement: scores are wrong.`;
    return { ...about, state: 'damaged', message, remedy: REPAIR };
  }
  return { ...about, state: 'ok', message: `${id} (${short(fingerprint)}) is the model that embedded the files.` };
}

/** The similarity scale of the opened model as measured now; undefined if it is the recorded one, or not needed. */
export async function differingSimilarity(context: BotContext): Promise<SimilarityScale | undefined> {
  const { embedder, recorded, models, signal } = context;
  if (!embedder || !recorded || embedder.card.similarity) return undefined;
  const scale = await models.similarity(recorded.fingerprint);
  if (!scale) return undefined;
  const measured = await untilAborted(measureSimilarity(embedder), signal);
  const isSame = measured.unrelated === scale.unrelated && measured.related === scale.related;
  return isSame ? undefined : measured;
}

function short(fingerprint: string): string {
  return fingerprint.slice(0, 12);
}
