import type { Searches, SideResult } from './measure.js';
import { ENOUGH } from './measure-side.js';

/** The fastest of Waymark's against a peer, both finding what there is. */
export interface Verdict {
  readonly size: number;
  /** What the filter passes; 1 for none. */
  readonly share: number;
  readonly peer: string;
  readonly ours: string;
  /** The peer's median over ours: above 1 Waymark is faster. */
  readonly ratio: number;
}

type Figures = Pick<SideResult, 'side' | 'size' | 'whose'> & { readonly searches: readonly Omit<Searches, 'p95'>[] };

/** A verdict for each peer, size and filter where both have recall .99; none where either has not. */
export function verdictsOf(results: readonly Figures[]): Verdict[] {
  const right = results.flatMap(({ side, size, whose, searches }) =>
    searches.filter(({ recall }) => recall >= ENOUGH).map(({ share, p50 }) => ({ side, size, whose, share, p50 })),
  );
  return right.flatMap((peer) => {
    if (peer.whose !== 'peer') return [];
    const { size, share } = peer;
    const [best] = right
      .filter((one) => one.whose === 'ours' && one.size === size && one.share === share)
      .sort((a, b) => a.p50 - b.p50);
    return best ? [{ size, share, peer: peer.side, ours: best.side, ratio: peer.p50 / best.p50 }] : [];
  });
}

/** The verdicts without a filter, a line each, then who is faster than Waymark, with a filter or without. */
export function verdictLines(verdicts: readonly Verdict[]): string[] {
  const lines = verdicts
    .filter(({ share }) => share === 1)
    .map(
      ({ size, peer, ours, ratio }) => `${size} vectors: ${peer} takes ${ratio.toFixed(2)} times as long as ${ours}.`,
    );
  const slower = verdicts
    .filter(({ ratio }) => ratio < 1)
    .map(
      ({ size, share, peer, ours, ratio }) =>
        `${peer} (${size} vectors${share === 1 ? '' : `, filter ${showShare(share)}`}: ${ours} takes ${(1 / ratio).toFixed(2)} times as long)`,
    );
  return [...lines, `slower than: ${slower.length === 0 ? 'none of them' : slower.join(', ')}`];
}

export function showShare(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}
