import type { Mode } from '../contract/search-files.js';
import type { Embedder } from '../embed/embedder.js';
import { queryTerms } from '../lexical/query-terms.js';
import type { Neighbour } from '../passage.js';
import type { PassageStore, TagFilter } from '../passage-store.js';
import type { Evidence } from './fuse.js';

/** A passage that one of the sides found, with what both know of it. */
export interface Candidate extends Evidence {
  readonly number: number;
}

/** Candidates of each side, whatever the limit: so the first n of a longer answer are the shorter answer. */
const POOL = 1000;

export interface CandidateOptions {
  readonly store: PassageStore;
  readonly embedder: Pick<Embedder, 'embedQuery'>;
  readonly mode: Mode;
  readonly tags?: TagFilter | undefined;
}

/** The best passages of each side that the mode asks for; a candidate of one side gets its exact score from the other. */
export async function candidatesOf(
  query: string,
  { store, embedder, mode, tags }: CandidateOptions,
): Promise<Candidate[]> {
  const filter = tags && { tags };
  const lexical = queryTerms(query);
  const embedding = mode === 'lexical' ? undefined : await embedder.embedQuery(query);
  const near = embedding ? await store.nearest(embedding, { limit: POOL, ...filter }) : [];
  const { ceiling, neighbours: matching } =
    mode === 'dense' ? { ceiling: 0, neighbours: [] } : await store.matching(lexical, { limit: POOL, ...filter });
  const cosines = scoresOf(near);
  const bm25s = scoresOf(matching);
  const withoutCosine = [...bm25s.keys()].filter((number) => !cosines.has(number));
  const withoutBm25 = [...cosines.keys()].filter((number) => !bm25s.has(number));
  if (embedding && withoutCosine.length > 0) {
    const found = await store.similarities(embedding, withoutCosine);
    for (const [i, number] of withoutCosine.entries()) cosines.set(number, found[i] ?? Number.NaN);
  }
  if (ceiling > 0 && withoutBm25.length > 0) {
    const found = await store.matches(lexical, withoutBm25);
    for (const [i, number] of withoutBm25.entries()) bm25s.set(number, found[i] ?? 0);
  }
  const numbers = [...new Set([...cosines.keys(), ...bm25s.keys()])];
  const shapes =
    mode === 'hybrid' ? new Map((await store.shapes(numbers)).map((shape) => [shape.number, shape])) : undefined;
  return numbers.map((number) => ({
    number,
    ceiling,
    cosine: cosines.get(number) ?? Number.NaN,
    bm25: bm25s.get(number) ?? 0,
    length: shapes?.get(number)?.length ?? 0,
    subtype: shapes?.get(number)?.subtype ?? 'paragraph',
  }));
}

function scoresOf(neighbours: readonly Neighbour[]): Map<number, number> {
  return new Map(neighbours.map(({ id, score }) => [id, score]));
}
