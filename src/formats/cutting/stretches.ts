/** The most characters of a stretch that is cut at a time: the memory that cutting takes is freed after each. */
export const STRETCH = 1 << 16;

/** Where a stretch should end, best first: after a line, a sentence, a word. */
const BORDERS = ['\n', '. ', ' '];

/**
 * Offsets that cut [start, end) into stretches of at most `size` characters. Each stretch ends after a line, a sentence
 * or a word if one ends in its second half. The time is linear in the number of stretches, whatever the text.
 */
export function stretchesWithin(
  { start, end }: { readonly start: number; readonly end: number },
  { source, size }: { source: string; size: number },
): number[] {
  const offsets: number[] = [];
  // A surrogate pair has two.
  const most = Math.max(size, 2);
  for (let at = start; end - at > most; offsets.push(at)) at = borderBefore(at + most, { source, size: most });
  return offsets;
}

function borderBefore(most: number, { source, size }: { source: string; size: number }): number {
  const secondHalf = source.slice(most - Math.floor(size / 2), most);
  for (const border of BORDERS) {
    const at = secondHalf.lastIndexOf(border);
    if (at >= 0) return most - secondHalf.length + at + border.length;
  }
  // Never cut a surrogate pair or a CRLF.
  return /^(?:[\uD800-\uDBFF][\uDC00-\uDFFF]|\r\n)$/.test(source.slice(most - 1, most + 1)) ? most - 1 : most;
}
