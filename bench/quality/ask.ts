import type { RankedPassage } from 'waymark/evaluation';
import type { Run } from '../ranking/run.js';

/** Passages that are asked for where the time is taken and indexes are compared. */
export const SHALLOW = 10;

/** What a run gave for a query. */
export interface Asked {
  /** The best `SHALLOW` passages. */
  readonly shallow: readonly RankedPassage[];
  /** As many as were wanted for the measures. */
  readonly passages: readonly RankedPassage[];
  /** Milliseconds that the shallow search took. */
  readonly milliseconds: number;
}

/** Asks a run queries, one after the other, by query id. */
export async function ask(
  run: Run,
  { queries, depth }: { readonly queries: readonly { id: string; text: string }[]; readonly depth: number },
): Promise<Map<string, Asked>> {
  // The first search loads the model and the vectors.
  await run('warm-up', SHALLOW);
  const asked = new Map<string, Asked>();
  for (const { id, text } of queries) {
    const started = performance.now();
    const shallow = await run(text, SHALLOW);
    const milliseconds = performance.now() - started;
    asked.set(id, { shallow, milliseconds, passages: depth > SHALLOW ? await run(text, depth) : shallow });
  }
  return asked;
}
