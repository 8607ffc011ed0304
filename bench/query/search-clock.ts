import type { OnStage, Stage } from 'waymark';

export const STAGES: readonly Stage[] = ['embed', 'vectors', 'postings', 'shapes', 'read'];

/**
 * Milliseconds of a search by stage. `rest` is what no stage has: validation, fusing, putting together. Postings are read
 * while another process embeds the query, so the stages may add up to more than the whole: `busy` is the time in which the
 * search did not merely wait for the embedding.
 */
export type SearchTimes = Readonly<Record<Stage | 'rest' | 'busy' | 'whole', number>>;

/** From start to end, in milliseconds. */
type Span = readonly [start: number, end: number];

/** Takes the time of searches, one at a time. */
export class SearchClock {
  readonly #spans: { readonly stage: Stage; readonly span: Span }[] = [];

  /** To be given to `openEngine`. */
  readonly onStage: OnStage = (stage, milliseconds) => {
    const end = performance.now();
    this.#spans.push({ stage, span: [end - milliseconds, end] });
  };

  async time(search: () => Promise<unknown>): Promise<SearchTimes> {
    this.#spans.length = 0;
    const started = performance.now();
    await search();
    return timesOf(this.#spans, performance.now() - started);
  }
}

/**
 * The time that each stage covers. Calls of a stage that run side by side are told each with the time that it waited for
 * the others: their sum would count it twice.
 */
export function timesOf(spans: readonly { readonly stage: Stage; readonly span: Span }[], whole: number): SearchTimes {
  const covered = (stage: Stage) => coveredBy(spans.filter((each) => each.stage === stage).map(({ span }) => span));
  const [embed, vectors, postings, shapes, read] = [
    covered('embed'),
    covered('vectors'),
    covered('postings'),
    covered('shapes'),
    covered('read'),
  ];
  const rest = Math.max(0, whole - coveredBy(spans.map(({ span }) => span)));
  const others = coveredBy(spans.filter(({ stage }) => stage !== 'embed').map(({ span }) => span));
  return { embed, vectors, postings, shapes, read, rest, busy: others + rest, whole };
}

/** Length of the union of spans. */
function coveredBy(spans: readonly Span[]): number {
  let [length, reached] = [0, Number.NEGATIVE_INFINITY];
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    length += Math.max(0, end - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return length;
}
