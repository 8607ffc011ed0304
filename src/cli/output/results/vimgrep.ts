import { printable } from '../printable.js';
import { type Result, shownPath } from './result.js';

/** The line of a file where the best sentence of a result begins. */
export interface BestLine {
  /** From 1. */
  readonly line: number;
  /** In bytes, from 1, as in Vim and ripgrep. */
  readonly column: number;
  readonly text: string;
}

/** Where the best sentence of a result begins, which was found without context; `text` is that of its file. */
export function bestLineOf({ meta: { start = 0, highlight } }: Result, text: string): BestLine {
  const before = text.slice(0, start + (highlight?.start ?? 0));
  const lineStart = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
  const [shown = ''] = text.slice(lineStart).split(/[\r\n]/, 1);
  const breaks = before.match(/\r\n|\n|\r/g)?.length ?? 0;
  return { line: breaks + 1, column: Buffer.byteLength(before.slice(lineStart)) + 1, text: shown };
}

/** A result as `path:line:column:text`. */
export function vimgrepOf(result: Result, text: string): string {
  const best = bestLineOf(result, text);
  return printable(`${shownPath(result)}:${best.line}:${best.column}:${best.text.replaceAll('\t', ' ')}`);
}
