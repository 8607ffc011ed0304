export interface Spreading {
  /** Least distance of two places. */
  readonly apart: number;
  /** Where the last place should not be beyond; the first is moved before it where there are too many. */
  readonly from: number;
  readonly to: number;
}

/** Places as near as possible to those wanted, in their order, but apart from each other. */
export function spread(wanted: readonly number[], { apart, from, to }: Spreading): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const places = [...wanted];
  let least = from;
  for (const i of order) {
    places[i] = Math.max(wanted[i] ?? 0, least);
    least = (places[i] ?? 0) + apart;
  }
  let greatest = to;
  for (const i of order.toReversed()) {
    places[i] = Math.min(places[i] ?? 0, greatest);
    greatest = (places[i] ?? 0) - apart;
  }
  return places;
}
