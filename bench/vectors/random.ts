/** Tommy Ettinger's mulberry32, public domain: numbers in [0, 1), the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Normally distributed numbers. Box & Muller 1958, "A Note on the Generation of Random Normal Deviates". */
export function gaussianOf(random: () => number): () => number {
  let other: number | undefined;
  return () => {
    if (other !== undefined) {
      const kept = other;
      other = undefined;
      return kept;
    }
    // 1 - random is never 0, whose logarithm is none.
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    other = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}
