import type { Window } from '../storage/retrieval.js';

/** Joins the windows of one search in one file that touch or overlap, in the order of the file. */
export function mergeWindows(windows: readonly Window[]): Window[] {
  const inOrder = [...windows].sort((a, b) => firstPosition(a) - firstPosition(b));
  const merged: Window[] = [];
  for (const window of inOrder) {
    const last = merged.at(-1);
    if (last && firstPosition(window) <= lastPosition(last) + 1) merged[merged.length - 1] = join(last, window);
    else merged.push(window);
  }
  return merged;
}

/** The text of a window without what follows its last passage. */
export function textOf({ text, passages }: Window): string {
  const [first, last] = [passages[0], passages.at(-1)];
  return first && last ? text.slice(0, last.end - first.start) : '';
}

/** The text of a window with what completes the blocks that it cuts. */
export function displayOf(window: Window): string {
  const [first, last] = [window.passages[0], window.passages.at(-1)];
  return `${first?.opening ?? ''}${textOf(window)}${last?.closing ?? ''}`;
}

/** The second window begins inside the first, or where its text ends, and ends no earlier: both reach equally far. */
function join(a: Window, b: Window): Window {
  const passages = [...a.passages, ...b.passages.filter(({ position }) => position > lastPosition(a))];
  const overlap = (b.passages[0]?.start ?? 0) - (a.passages[0]?.start ?? 0);
  return { text: a.text.slice(0, overlap) + b.text, passages };
}

function firstPosition({ passages }: Window): number {
  return passages[0]?.position ?? 0;
}

function lastPosition({ passages }: Window): number {
  return passages.at(-1)?.position ?? 0;
}
