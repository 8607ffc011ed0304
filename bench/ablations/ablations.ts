import { rmSync } from 'node:fs';
import type { IndexProgress, Mode, ModelSource, SearchEngine } from 'waymark';
import {
  type Differences,
  pairedDifferences,
  type RankedPassage,
  type SummaryRow,
  summarise,
} from 'waymark/evaluation';
import type { Collection, Corpus } from '../collections/collection.js';
import { queriesOf, spread } from '../collections/queries.js';
import { CACHE, cacheFolderOf, corporaIn } from '../quality/cache.js';
import { depthOf, evaluate, type QueryResult } from '../quality/evaluate.js';
import { type IndexOptions, indexCorpus } from '../quality/index-corpus.js';
import { type Open, SHIPPED, type Variant } from './variants.js';

export interface AblationOptions {
  readonly variants: readonly Variant[];
  /** The bundled model unless given. */
  readonly model?: ModelSource | undefined;
  /** Queries at most, spread evenly over the collection. */
  readonly limitQueries?: number | undefined;
  /** Whether the indexes of an earlier run are deleted first. */
  readonly fresh?: boolean | undefined;
  /** Folder of indexes that are kept between runs; one under the system's temporary folder unless given. */
  readonly cacheRoot?: string | undefined;
  readonly onProgress?: ((corpus: string, progress: IndexProgress) => void) | undefined;
}

/** How a variant did, over all corpora. */
export interface Ablation {
  readonly variant: string;
  readonly mode: Mode;
  /** By kind of question, the last for all. */
  readonly summary: readonly SummaryRow[];
  /** What it has over the same mode as shipped, which has none. */
  readonly difference?: Differences;
}

/** Asks all queries in every variant, each over the indexes that it needs, and compares it with what ships. */
export async function measureAblations(
  collection: Collection,
  options: AblationOptions,
): Promise<{ model: string; ablations: Ablation[] }> {
  const { variants, model, limitQueries, fresh, cacheRoot = CACHE, onProgress } = options;
  const limited = spread(collection, limitQueries);
  const cache = cacheFolderOf(collection, { model, root: cacheRoot });
  if (fresh) rmSync(cache, { recursive: true, force: true });
  const answers = new Map(variants.map((variant) => [variant, new Map<string, readonly RankedPassage[]>()]));
  let modelId = '';
  for (const corpus of corporaIn(cache, collection)) {
    const queries = queriesOf(limited, corpus);
    if (queries.length === 0) continue;
    for (const [{ runOf }, given] of answers) {
      await withEngines({ corpus, cache, model, index: 'exact', onProgress }, async (open) => {
        const run = await runOf(async (settings) => {
          const engine = await open(settings);
          modelId = (await engine.status()).model.id;
          return engine;
        });
        for (const { id, text } of queries) given.set(id, await run(text, depthOf(limited)));
      });
    }
  }
  const results = [...answers].map(([variant, given]) => ({ ...variant, queries: evaluate(limited, given) }));
  return { model: modelId, ablations: results.map((result) => ablationOf(result, results)) };
}

interface Result extends Variant {
  readonly queries: readonly QueryResult[];
}

function ablationOf({ name, mode, queries }: Result, results: readonly Result[]): Ablation {
  const shipped = results.find((result) => result.name === SHIPPED && result.mode === mode);
  const compared = shipped && name !== SHIPPED;
  return {
    variant: name,
    mode,
    summary: summarise(queries),
    ...(compared && { difference: pairedDifferences({ before: shipped.queries, after: queries }) }),
  };
}

/** Gives out engines, and closes them when the work is done: all indexes at once would be a process each. */
async function withEngines(
  { corpus, ...options }: IndexOptions & { readonly corpus: Corpus },
  work: (open: Open) => Promise<void>,
): Promise<void> {
  const engines: SearchEngine[] = [];
  try {
    await work(async (settings) => {
      const { engine } = await indexCorpus(corpus, { ...options, ...settings });
      engines.push(engine);
      return engine;
    });
  } finally {
    for (const engine of engines) await engine.close();
  }
}
