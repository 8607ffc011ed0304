import type { OnStage } from 'waymark';

/**
 * Milliseconds of a search: of each stage that the engine reports, and of
 * - `rest`: no stage, such as validation and fusion;
 * - `busy`: anything but waiting for the query's embedding. Postings are read while the query is embedded, so the
 *   stages may add up to more than the whole;
 * - `whole`: the call.
 */
export type SearchTimes = Readonly<Record<string, number>> & {
  readonly rest: number;
  readonly busy: number;
  readonly whole: number;
};

/** A part of a search, in milliseconds. */
export interface Span {
  readonly stage: string;
  readonly start: number;
  readonly end: number;
}

/** Stage of the engine that waits for the embedding process. */
const EMBED = 'embed';

/** Times searches, one at a time. */
export class SearchClock {
  readonly #spans: Span[] = [];

  /** To be passed to `openEngine`. */
  readonly onStage: OnStage = (stage, milliseconds) => {
    const end = performance.now();
    this.#spans.push({ stage, start: end - milliseconds, end });
  };

  async time(search: () => Promise<unknown>): Promise<SearchTimes> {
    this.#spans.length = 0;
    const started = performance.now();
    await search();
    return timesOf(this.#spans, performance.now() - started);
  }
}

/** Times by stage, in the order in which they begin. Time that overlapping calls of a stage share counts once. */
export function timesOf(spans: readonly Span[], whole: number): SearchTimes {
  const inOrder = spans.toSorted((a, b) => a.start - b.start);
  const stages = [...new Set(inOrder.map(({ stage }) => stage))];
  const byStage = stages.map((name) => [name, coveredBy(spans.filter(({ stage }) => stage === name))] as const);
  const rest = Math.max(0, whole - coveredBy(spans));
  const busy = coveredBy(spans.filter(({ stage }) => stage !== EMBED)) + rest;
  return { ...Object.fromEntries(byStage), rest, busy, whole };
}

/** Length of the union of the spans. */
function coveredBy(spans: readonly Span[]): number {
  let [length, reached] = [0, Number.NEGATIVE_INFINITY];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    length += Math.max(0, end - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return length;
}
