import type { Nodes } from 'mdast';
import { endOf, startOf } from '../cutting/nodes.js';

/** The fences of a code block. */
export interface FencedCode {
  /** The line of the opening fence, without what comes before the block. */
  readonly opening: string;
  /** The marks that the closing fence begins with, at least. */
  readonly mark: string;
  /** The offset after the line of the opening fence, before its line end. */
  readonly start: number;
}

/** Characters searched for a closing fence, so that a block cut in many parts is not read in full for each. */
const LONGEST_FENCE = 200;

const OPENING = /^(`{3,}|~{3,})[^\r\n]*/;

const CLOSING = /[\n\r][ \t>]*([`~]+)[ \t]*$/;

/** The opening fence of a code block; undefined if it is indented code. */
export function fencedCode(code: Nodes, source: string): FencedCode | undefined {
  const start = startOf(code);
  const [opening, mark] = OPENING.exec(source.slice(start, endOf(code))) ?? [];
  return opening === undefined || mark === undefined ? undefined : { opening, mark, start: start + opening.length };
}

/** Where the closing fence that ends at `end` begins, with the line end before it; undefined if none ends there. */
export function closingFence(
  { mark, start }: FencedCode,
  { end, source }: { end: number; source: string },
): number | undefined {
  const closing = CLOSING.exec(source.slice(Math.max(start, end - LONGEST_FENCE), end));
  return closing?.[1]?.startsWith(mark) ? end - closing[0].length : undefined;
}
