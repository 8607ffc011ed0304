import type { Mode } from '../contract/search-files.js';
import type { Embedder, SimilarityScale } from '../embed/embedder.js';
import { queryTerms } from '../lexical/query-terms.js';
import type { Neighbour } from '../passage.js';
import type { Matching, PassageStore, TagFilter } from '../passage-store.js';
import type { Background, Evidence } from './fuse.js';

/** A passage that one of the sides found, with what both know of it. */
export interface Candidate extends Evidence {
  readonly number: number;
  /** Place among the candidates of a side, from 1; undefined where that side did not find it. */
  readonly denseRank: number | undefined;
  readonly lexicalRank: number | undefined;
}

/** Candidates of each side, whatever the limit: so the first n of a longer answer are the shorter answer. */
const POOL = 1000;

const NO_WORDS: Matching = { ceiling: 0, neighbours: [] };

export interface CandidateOptions {
  readonly store: PassageStore;
  readonly embedder: Pick<Embedder, 'embedQuery'>;
  readonly scale: () => Promise<SimilarityScale>;
  readonly mode: Mode;
  readonly tags?: TagFilter | undefined;
}

/** The best passages of each side that the mode asks for; a candidate of one side gets its exact score from the other. */
export async function candidatesOf(
  query: string,
  { store, embedder, scale, mode, tags }: CandidateOptions,
): Promise<{ candidates: Candidate[]; background: Background }> {
  const pool = { limit: POOL, ...(tags && { tags }) };
  const terms = queryTerms(query);
  // Another process embeds the query: this one looks for its terms meanwhile.
  const [embedding, { ceiling, neighbours: matching }] = await Promise.all([
    mode === 'lexical' ? undefined : embedder.embedQuery(query),
    mode === 'dense' ? NO_WORDS : store.matching(terms, pool),
  ]);
  const near = embedding ? await store.nearest(embedding, pool) : [];
  const bm25s = new Map(entriesOf(matching));
  const unmatched = near.map(({ id }) => id).filter((id) => !bm25s.has(id));
  const scores = mode === 'hybrid' ? await store.matchScores(terms, unmatched) : [];
  for (const [i, number] of unmatched.entries()) bm25s.set(number, scores[i] ?? 0);
  const numbers = [...bm25s.keys()];
  const shapes = new Map((mode === 'hybrid' ? await store.shapes(numbers) : []).map((shape) => [shape.number, shape]));

  const cosines = new Map(entriesOf(near));
  const unknown = numbers.filter((number) => !cosines.has(number));
  if (embedding && unknown.length > 0) {
    const found = await store.similarities(embedding, unknown);
    for (const [i, number] of unknown.entries()) cosines.set(number, found[i] ?? Number.NaN);
  }
  const [denseRanks, lexicalRanks] = [ranksOf(near), ranksOf(matching)];
  const background = {
    ceiling,
    scale: embedding && (await scale()),
    similarity: embedding ? await store.meanSimilarity(embedding) : { mean: 0, count: 0 },
  };
  const candidates = numbers.map((number) => {
    const { length = 0, subtype = 'paragraph' } = shapes.get(number) ?? {};
    return {
      number,
      denseRank: denseRanks.get(number),
      lexicalRank: lexicalRanks.get(number),
      cosine: cosines.get(number) ?? Number.NaN,
      bm25: bm25s.get(number) ?? 0,
      length,
      subtype,
    };
  });
  return { candidates, background };
}

function entriesOf(neighbours: readonly Neighbour[]): [id: number, score: number][] {
  return neighbours.map(({ id, score }) => [id, score]);
}

function ranksOf(neighbours: readonly Neighbour[]): Map<number, number> {
  return new Map(neighbours.map(({ id }, i) => [id, i + 1]));
}
