import type { Passage } from '../domain/passage.js';
import type { PassageStore, Window } from '../storage/passage-store.js';

/** Positions from the first to the last, inclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** What of a file is to be shown: ranges, in order, around the matches that were found there. */
export interface Excerpt {
  readonly fileId: string;
  readonly matches: readonly Passage[];
  readonly ranges: readonly Range[];
}

/**
 * What stands at each excerpt's ranges. Of a file that was changed since, each match as it was found and nothing around
 * it: old and new are never shown together.
 */
export async function windowsOf(excerpts: readonly Excerpt[], store: PassageStore): Promise<Window[][]> {
  // A file's are read at once: between two looks another process may change it.
  const wholes = await store.windows(
    excerpts.map(({ fileId, ranges }) => ({
      fileId,
      from: Math.min(...ranges.map(({ from }) => from)),
      to: Math.max(...ranges.map(({ to }) => to)),
    })),
  );
  return excerpts.map(({ matches, ranges }, i) => {
    const whole = wholes[i];
    if (!whole || !areThere(matches, whole))
      return matches.map((match) => ({ text: match.content, passages: [match] }));
    return ranges.map((range) => cut(whole, range));
  });
}

function areThere(matches: readonly Passage[], whole: Window): boolean {
  const now = new Map(whole.passages.map((passage) => [passage.id, passage]));
  return matches.every(({ id, position, start }) => {
    const found = now.get(id);
    return found?.position === position && found.start === start;
  });
}

function cut({ text, passages }: Window, { from, to }: Range): Window {
  const within = passages.filter(({ position }) => position >= from && position <= to);
  const [origin, first, last] = [passages[0], within[0], within.at(-1)];
  if (!origin || !first || !last) return { text: '', passages: [] };
  return { text: text.slice(first.start - origin.start, last.end - origin.start), passages: within };
}
