import type { IndexProgress, ModelSource } from 'waymark';
import { rankedPassage, sharedLines } from 'waymark/evaluation';
import type { SpanCollection, SpanQuery } from '../../support/collections/collection.js';
import { CACHE } from '../../support/folders/paths.js';
import { cacheFolderOf, corporaIn } from '../../support/indexes/collection-cache.js';
import { indexCorpus } from '../../support/indexes/index-corpus.js';
import { explanationOf, MOST_HITS } from '../../support/ranking/ranker.js';

/** What the sum of a candidate is made of. */
export interface Candidate {
  readonly dense: number;
  /** Share of the attainable BM25. */
  readonly share: number;
  /** Rarity of the rarest term that matches. */
  readonly rarity: number;
  /** The priors, as shipped. */
  readonly length: number;
  readonly prose: number;
  /** Whether it shares a line with an answer. */
  readonly isRight: boolean;
}

/** A query with its candidates, in the order of the shipped ranking. */
export interface Gathered extends SpanQuery {
  readonly candidates: readonly Candidate[];
  /** How far the nearest passage stands out, as the score has it. */
  readonly contrast: number;
}

export interface GatherOptions {
  readonly model?: ModelSource | undefined;
  readonly cacheRoot?: string | undefined;
  readonly onProgress?: ((corpus: string, progress: IndexProgress) => void) | undefined;
}

/** Asks all queries once, and keeps what any constants need to rank the candidates again. */
export async function gather(
  collection: SpanCollection,
  { model, cacheRoot = CACHE, onProgress }: GatherOptions,
): Promise<{ model: string; queries: Gathered[] }> {
  const cache = cacheFolderOf(collection, { model, root: cacheRoot });
  const queries: Gathered[] = [];
  let modelId = '';
  for (const corpus of corporaIn(cache, collection)) {
    const { engine } = await indexCorpus(corpus, { cache, model, index: 'exact', onProgress });
    try {
      modelId = (await engine.status()).model.id;
      for (const query of collection.queries.filter(({ corpus: name }) => name === corpus.name)) {
        const hits = await engine.search(query.text, { limit: MOST_HITS, explain: true });
        const candidates = hits.map((hit): Candidate => {
          const { parts, lexical } = explanationOf(hit);
          const { dense = 0, length = 0, prose = 0 } = parts;
          const passage = rankedPassage(hit);
          const isRight = query.spans.some((span) => sharedLines(passage, span) > 0);
          return { dense, length, prose, share: lexical?.share ?? 0, rarity: lexical?.rarity ?? 0, isRight };
        });
        const [first] = hits;
        queries.push({ ...query, candidates, contrast: (first && explanationOf(first).contrast) ?? 0 });
      }
    } finally {
      await engine.close();
    }
  }
  return { model: modelId, queries };
}
