import type { Embedder } from '../embed/embedder.js';
import type { Hit } from '../passage.js';
import type { PassageStore, StoredPassage, TagFilter } from '../passage-store.js';

export interface SearchOptions {
  readonly limit: number;
  readonly tags?: TagFilter | undefined;
  /** Hits below it are left out. */
  readonly minScore?: number | undefined;
}

/**
 * Neighbours fetched, whatever the limit, so that the first n of a longer answer are the shorter answer: an approximate
 * index finds others when it is asked for more. Four times as many where they do not suffice.
 */
const POOL = 66;

/** Beyond the limit, so that passages with the same score as the last hit are there to be ordered. */
const MARGIN = 16;

/** The passages that are nearest to a query in meaning, best first; equal scores by key, then position. */
export async function search(
  query: string,
  {
    store,
    embedder,
    limit,
    tags,
    minScore,
  }: SearchOptions & { store: PassageStore; embedder: Pick<Embedder, 'embedQuery'> },
): Promise<Hit[]> {
  const embedding = await embedder.embedQuery(query);
  for (let wanted = POOL; ; wanted *= 4) {
    if (wanted < limit + MARGIN) continue;
    const neighbours = await store.nearest(embedding, { limit: wanted, ...(tags && { tags }) });
    // Copies of one text in many files have one score: all of them must be seen before the first can be told.
    const tieOpen = neighbours.length === wanted && neighbours[limit - 1]?.score === neighbours.at(-1)?.score;
    if (tieOpen) continue;
    const scores = new Map(neighbours.map(({ id, score }) => [id, score]));
    const found = await store.passages(neighbours.map(({ id }) => id));
    return found
      .map((stored) => hitOf(stored, scores.get(stored.number) ?? 0))
      .filter(({ score }) => minScore === undefined || score >= minScore)
      .sort(byRelevance)
      .slice(0, limit);
  }
}

function hitOf({ passage, file }: StoredPassage, score: number): Hit {
  return { score, passage, file };
}

/** Best first; equal scores by file key, then position, so that the same question always gets the same answer. */
export function byRelevance(a: Hit, b: Hit): number {
  return b.score - a.score || compare(a.file.key, b.file.key) || a.passage.position - b.passage.position;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
