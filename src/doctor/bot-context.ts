import type { Embedder } from '../embed/embedder.js';
import { type ModelSource, openEmbedder } from '../embed/open.js';
import { cuttingOf, parserOf as newParser } from '../engine/cutting-options.js';
import type { ParsePool } from '../indexing/parsing/parse-pool.js';
import type { BotRow } from '../sqlite/accounts/sqlite-bots.js';
import type { BotContext, DoctorContext } from './context.js';

/** What examining a bot needs. `closing` collects what must be closed afterwards. */
export async function openBotContext(
  bot: BotRow,
  {
    model,
    closing,
    ...context
  }: DoctorContext & { readonly model: ModelSource | undefined; readonly closing: (() => Promise<void>)[] },
): Promise<BotContext> {
  const recorded = context.models.rowOf(bot.id);
  let embedder: Embedder | undefined;
  let failure: Error | undefined;
  try {
    const source = model ?? (recorded?.source ? (JSON.parse(recorded.source) as ModelSource) : undefined);
    const opened = await openEmbedder(source);
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
    if (!embedder) throw new RangeError('no text is cut without its model');
    const key = `${budget} ${embedBreadcrumb}`;
    const cutting = cuttingOf({ passageTokens: budget, embedBreadcrumb }, embedder.card);
    const pool = pools.get(key) ?? newParser(embedder, cutting);
    pools.set(key, pool);
    return pool;
  };
  return { ...context, bot, recorded, embedder, failure, parserOf };
}
