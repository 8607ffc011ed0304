import type { ContenderResult, Searches } from './measure-size.js';
import { CORRECT } from './prepare-contender.js';

/** A peer against the fastest index of Waymark, both correct. */
export interface Comparison {
  readonly size: number;
  /** Share that the filter passes; 1 for none. */
  readonly share: number;
  readonly peer: string;
  readonly ours: string;
  /** Median of the peer over ours; above 1 Waymark is faster. */
  readonly ratio: number;
}

type Figures = Pick<ContenderResult, 'contender' | 'size' | 'whose'> & {
  readonly searches: readonly Omit<Searches, 'p95'>[];
};

/** A comparison with each peer for each size and filter, unless either has a recall below 0.99. */
export function comparisonsOf(results: readonly Figures[]): Comparison[] {
  const correct = results.flatMap(({ contender, size, whose, searches }) =>
    searches
      .filter(({ recall }) => recall >= CORRECT)
      .map(({ share, p50 }) => ({ contender, size, whose, share, p50 })),
  );
  return correct.flatMap((peer) => {
    if (peer.whose !== 'peer') return [];
    const { size, share } = peer;
    const [best] = correct
      .filter((one) => one.whose === 'ours' && one.size === size && one.share === share)
      .sort((a, b) => a.p50 - b.p50);
    return best ? [{ size, share, peer: peer.contender, ours: best.contender, ratio: peer.p50 / best.p50 }] : [];
  });
}

/** One line per comparison without a filter, then the peers that are faster than Waymark, with a filter or without. */
export function comparisonLines(comparisons: readonly Comparison[]): string[] {
  const lines = comparisons
    .filter(({ share }) => share === 1)
    .map(
      ({ size, peer, ours, ratio }) => `${size} vectors: ${peer} takes ${ratio.toFixed(2)} times as long as ${ours}.`,
    );
  const faster = comparisons
    .filter(({ ratio }) => ratio < 1)
    .map(({ size, share, peer, ours, ratio }) => {
      const filter = share === 1 ? '' : `, filter ${formatShare(share)}`;
      return `${peer} (${size} vectors${filter}: ${ours} takes ${(1 / ratio).toFixed(2)} times as long)`;
    });
  return [...lines, `Peers that are faster: ${faster.length === 0 ? 'none' : faster.join(', ')}.`];
}

export function formatShare(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}
