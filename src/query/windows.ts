import type { Passage } from '../passage.js';
import type { PassageStore, Window } from '../passage-store.js';

/** Positions from the first to the last, inclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * What stands at ranges of a file, in order, around the matches that were found there. Of a file that was changed since,
 * each match as it was found and nothing around it: old and new are never shown together.
 */
export async function windowsOf(
  fileId: string,
  { store, matches, ranges }: { store: PassageStore; matches: readonly Passage[]; ranges: readonly Range[] },
): Promise<Window[]> {
  const from = Math.min(...ranges.map((range) => range.from));
  const to = Math.max(...ranges.map((range) => range.to));
  // Read at once: between two looks another process may change the file.
  const whole = await store.window(fileId, { from, to });
  const now = new Map(whole.passages.map((passage) => [passage.id, passage]));
  const isUnchanged = matches.every(({ id, position, start }) => {
    const found = now.get(id);
    return found?.position === position && found.start === start;
  });
  if (!isUnchanged) return matches.map((match) => ({ text: match.content, passages: [match] }));
  return ranges.map((range) => cut(whole, range));
}

function cut({ text, passages }: Window, { from, to }: Range): Window {
  const within = passages.filter(({ position }) => position >= from && position <= to);
  const [origin, first, last] = [passages[0], within[0], within.at(-1)];
  if (!origin || !first || !last) return { text: '', passages: [] };
  return { text: text.slice(first.start - origin.start, last.end - origin.start), passages: within };
}
