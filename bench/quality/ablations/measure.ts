import { rmSync } from 'node:fs';
import type { IndexProgress, Mode, ModelSource, SearchEngine } from 'waymark';
import {
  type Differences,
  pairedDifferences,
  type RankedPassage,
  type SummaryRow,
  summarise,
} from 'waymark/evaluation';
import type { Collection, Corpus } from '../../support/collections/collection.js';
import { queriesOf, sampled } from '../../support/collections/queries.js';
import { CACHE } from '../../support/folders/paths.js';
import { cacheFolderOf, corporaIn } from '../../support/indexes/collection-cache.js';
import { type IndexOptions, indexCorpus } from '../../support/indexes/index-corpus.js';
import { depthOf, type EvaluatedQuery, evaluate } from '../evaluate.js';
import { type OpenEngine, SHIPPED, type Variant } from './variants.js';

export interface AblationOptions {
  readonly variants: readonly Variant[];
  /** Defaults to the bundled model. */
  readonly model?: ModelSource | undefined;
  /** At most so many queries, spaced evenly. Defaults to all. */
  readonly limitQueries?: number | undefined;
  /** Delete the cached indexes first. */
  readonly fresh?: boolean | undefined;
  /** Folder of cached indexes. Defaults to one in the system's temporary folder. */
  readonly cacheRoot?: string | undefined;
  readonly onProgress?: ((corpus: string, progress: IndexProgress) => void) | undefined;
}

/** How well a variant answers, over all corpora. */
export interface Ablation {
  readonly variant: string;
  readonly mode: Mode;
  /** One row per kind of question, then one for all. */
  readonly summary: readonly SummaryRow[];
  /** Difference to the defaults in the same mode, which have none. */
  readonly difference?: Differences;
}

/** Asks all queries of every variant and compares each with the defaults. */
export async function measureAblations(
  collection: Collection,
  options: AblationOptions,
): Promise<{ model: string; ablations: Ablation[] }> {
  const { variants, model, limitQueries, fresh, cacheRoot = CACHE, onProgress } = options;
  const asked = sampled(collection, limitQueries);
  const cache = cacheFolderOf(collection, { model, root: cacheRoot });
  if (fresh) rmSync(cache, { recursive: true, force: true });
  const runs = variants.map((variant) => ({ variant, answers: new Map<string, readonly RankedPassage[]>() }));
  let modelId = '';
  for (const corpus of corporaIn(cache, collection)) {
    const queries = queriesOf(asked, corpus);
    if (queries.length === 0) continue;
    for (const { variant, answers } of runs) {
      await withEngines({ corpus, cache, model, index: 'exact', onProgress }, async (open) => {
        const ranker = await variant.rankerOf(async (settings) => {
          const engine = await open(settings);
          modelId = (await engine.status()).model.id;
          return engine;
        });
        for (const { id, text } of queries) answers.set(id, await ranker(text, depthOf(asked)));
      });
    }
  }
  const evaluated = runs.map(({ variant, answers }) => ({ ...variant, queries: evaluate(asked, answers) }));
  return { model: modelId, ablations: evaluated.map((run) => ablationOf(run, evaluated)) };
}

interface EvaluatedVariant extends Variant {
  readonly queries: readonly EvaluatedQuery[];
}

function ablationOf({ name, mode, queries }: EvaluatedVariant, all: readonly EvaluatedVariant[]): Ablation {
  const shipped = all.find((variant) => variant.name === SHIPPED && variant.mode === mode);
  const compared = shipped && name !== SHIPPED;
  return {
    variant: name,
    mode,
    summary: summarise(queries),
    ...(compared && { difference: pairedDifferences({ before: shipped.queries, after: queries }) }),
  };
}

/** Closes the engines of a variant when its work is done; the engines of all variants would need too much memory. */
async function withEngines(
  { corpus, ...options }: IndexOptions & { readonly corpus: Corpus },
  work: (open: OpenEngine) => Promise<void>,
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
