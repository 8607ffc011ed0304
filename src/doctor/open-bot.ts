import type { Embedder } from '../embed/embedder.js';
import { type ModelSource, openEmbedder } from '../embed/open.js';
import { cuttingOf, parserOf as newParser } from '../engine/cutting-options.js';
import { sourceOf } from '../engine/recorded-model.js';
import type { ParsePool } from '../indexing/parsing/parse-pool.js';
import type { BotRow } from '../sqlite/accounts/sqlite-bots.js';
import type { BotContext, DoctorContext } from './context.js';

export interface OpenBotOptions {
  /** Defaults to the model that is recorded for the bot's files. */
  readonly model: ModelSource | undefined;
  /** Receives what must be called afterwards. */
  readonly closing: (() => Promise<void>)[];
}

/** Opens everything that examining a bot needs. A model that cannot be opened is a finding, not an error. */
export async function openBot(
  context: DoctorContext,
  bot: BotRow,
  { model, closing }: OpenBotOptions,
): Promise<BotContext> {
  const recorded = context.models.rowOf(bot.id);
  let embedder: Embedder | undefined;
  let failure: Error | undefined;
  try {
    const opened = await openEmbedder(model ?? sourceOf(recorded));
    embedder = opened.embedder;
    // An embedder that was passed as an object stays open.
    if (opened.location) closing.push(() => opened.embedder.close());
  } catch (error) {
    failure = error as Error;
  }
  const pools = new Map<string, ParsePool>();
  closing.push(async () => {
    for (const pool of pools.values()) await pool.close();
  });
  const parserOf: BotContext['parserOf'] = ({ budget, embedBreadcrumb }) => {
    if (!embedder) throw new RangeError('cutting a text requires its model');
    const key = `${budget} ${embedBreadcrumb}`;
    const cutting = cuttingOf({ passageTokens: budget, embedBreadcrumb }, embedder.card);
    const pool = pools.get(key) ?? newParser(embedder, cutting);
    pools.set(key, pool);
    return pool;
  };
  return { ...context, bot, recorded, embedder, failure, parserOf };
}
