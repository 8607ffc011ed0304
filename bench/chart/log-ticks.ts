/** Longest range, in powers of ten, that has ticks between these. */
const SHORT = 2;

/**
 * Round values from the greatest at or below all values to the least at or above: powers of ten, with 2 and 5 between
 * them where the range is short. Always two at least. Values are above 0.
 */
export function logTicks(values: readonly number[]): number[] {
  const [least, greatest] = values.length > 0 ? [Math.min(...values), Math.max(...values)] : [1, 10];
  const factors = Math.log10(greatest / least) > SHORT ? [1] : [1, 2, 5];
  const [first, last] = [Math.floor(Math.log10(least)) - 1, Math.ceil(Math.log10(greatest)) + 1];
  const round = Array.from({ length: last - first + 1 }, (_, i) => first + i).flatMap((power) =>
    factors.map((factor) => Number(`${factor}e${power}`)),
  );
  const from = round.findLastIndex((tick) => tick <= least);
  const to = round.findIndex((tick) => tick >= greatest);
  // A single round value is given room on both sides.
  return from === to ? round.slice(from - 1, to + 2) : round.slice(from, to + 1);
}
