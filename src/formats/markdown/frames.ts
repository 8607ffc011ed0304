import type { Nodes, Root } from 'mdast';
import { withLineFeeds } from '../cutting/lines.js';
import { childrenWithin, endOf, startOf } from '../cutting/nodes.js';
import { closingFence, fencedCode } from './fenced-code.js';

/** What a part of a block needs to be shown as such: the fences of code, the header of a table. */
export interface Frame {
  /** Whole lines before it, with their ends. */
  readonly opening?: string;
  /** Whole lines after it, each with a line end before it. */
  readonly closing?: string;
}

/** The longest header that is repeated. */
const LONGEST_HEADER = 1_000;

/** A text, and the CommonMark of the same length that its tree is from. */
interface Texts {
  readonly original: string;
  readonly source: string;
}

/** The frame of [start, end), where it begins or ends inside of fenced code or a table: lines of the original. */
export function frameOf(root: Root, { start, end, ...texts }: Texts & { start: number; end: number }): Frame {
  const [first, last] = [blockAt(root, start), blockAt(root, end - 1)];
  const opening = first && openingOf(first, { ...texts, start });
  const closing = last && closingOf(last, { ...texts, end });
  return { ...(opening && { opening }), ...(closing && { closing }) };
}

/** The code or the table at an offset. */
function blockAt(node: Nodes, offset: number): Nodes | undefined {
  if (node.type === 'code' || node.type === 'table') return node;
  const [child] = childrenWithin(node, offset, offset + 1);
  return child && blockAt(child, offset);
}

function openingOf(block: Nodes, { start, original, source }: Texts & { start: number }): string | undefined {
  const before = source.slice(startOf(block), Math.max(start, startOf(block)));
  if (!/[\n\r]/.test(before)) return undefined;
  if (block.type === 'code') {
    const fenced = fencedCode(block, source);
    return fenced && `${indentOf(block, source)}${original.slice(startOf(block), fenced.start).trimEnd()}\n`;
  }
  const [header, rows] = block.type === 'table' ? block.children : [];
  if (!header || !rows || start < startOf(rows)) return undefined;
  const lines = original.slice(startOf(block), startOf(rows)).replace(/(?:\r\n?|\n)[^\r\n]*$/, '\n');
  return lines.length <= LONGEST_HEADER ? withLineFeeds(indentOf(block, source) + lines) : undefined;
}

function closingOf(block: Nodes, { end, original, source }: Texts & { end: number }): string | undefined {
  const fenced = block.type === 'code' && fencedCode(block, source);
  if (!fenced) return undefined;
  const close = closingFence(fenced, { end: endOf(block), source });
  if (close !== undefined && source.slice(end, endOf(block)).trim() === '') return undefined;
  // A tag that became a fence ends with another tag.
  const [tag] = close === undefined ? [] : (/[^\s>`~][^\r\n]*/.exec(original.slice(close, endOf(block))) ?? []);
  return `\n${indentOf(block, source)}${tag?.trimEnd() ?? fenced.mark}`;
}

/** What comes before a block on its line, with blanks for the marker of a list. */
function indentOf(block: Nodes, source: string): string {
  const [before = ''] = /[^\r\n]*$/.exec(source.slice(Math.max(0, startOf(block) - 100), startOf(block))) ?? [];
  return before.replace(/[^>\s]/g, ' ');
}
