import type { RankedPassage } from 'waymark/evaluation';
import type { Ranker } from '../support/ranking/ranker.js';
import { timed } from '../support/statistics/latencies.js';

/** Passages of a search that is timed, or compared with that of another index. */
export const SHALLOW = 10;

/** What a ranker answered to a query. */
export interface Answer {
  /** The first `SHALLOW` passages. */
  readonly shallow: readonly RankedPassage[];
  /** As many passages as the measures need. */
  readonly passages: readonly RankedPassage[];
  /** Milliseconds of the shallow search. */
  readonly milliseconds: number;
}

/** Asks queries one after the other. Returns the answers by id of the query. */
export async function ask(
  ranker: Ranker,
  { queries, depth }: { readonly queries: readonly { id: string; text: string }[]; readonly depth: number },
): Promise<Map<string, Answer>> {
  // The first search loads the model and the vectors.
  await ranker('warm-up', SHALLOW);
  const answers = new Map<string, Answer>();
  for (const { id, text } of queries) {
    let shallow: readonly RankedPassage[] = [];
    const milliseconds = await timed(async () => {
      shallow = await ranker(text, SHALLOW);
    });
    answers.set(id, { shallow, milliseconds, passages: depth > SHALLOW ? await ranker(text, depth) : shallow });
  }
  return answers;
}
