import type { Nodes } from 'mdast';
import type { Lines } from './lines.js';
import { endOf, isParent, startOf } from './mdast.js';
import { segmentsOf } from './segments.js';
import { stretchesWithin } from './stretches.js';

/** A part of a block that is not cut further; `cost` in tokens. */
export interface Unit {
  readonly start: number;
  readonly end: number;
  readonly cost: number;
  /** Embedded in front of a passage that begins with this unit: the header row of its table. */
  readonly lead?: { readonly text: string; readonly cost: number } | undefined;
}

export interface Cutter {
  readonly source: string;
  readonly lines: Lines;
  /** Tokens that a unit may have. */
  readonly limit: number;
  /** Tokens of the part [start, end); infinite where it is too long in any case. */
  readonly cost: (start: number, end: number) => number;
  /** What is embedded of the part [start, end). */
  readonly readable: (start: number, end: number) => string;
}

interface Part {
  readonly start: number;
  readonly end: number;
  readonly node?: Nodes | undefined;
  /** What the part's text is cut into next; nothing where it is a block still. */
  readonly into?: keyof typeof FINER | undefined;
  readonly lead?: Unit['lead'];
}

const FINER = { sentence: 'word', word: 'grapheme', grapheme: 'codePoint', codePoint: undefined } as const;

/**
 * A line of more characters than this many a token is data, and may be of megabytes: it is cut into as many characters as
 * tokens are allowed, so that each is counted but once.
 */
const LONG = 100;

const CONTAINERS: ReadonlySet<string> = new Set(['list', 'listItem', 'blockquote', 'footnoteDefinition']);

/**
 * A block as units that lie end to end: itself where it costs at most the limit, else its rows, items or lines, and
 * where one of these is too long its sentences, words, graphemes or, at last, code points.
 */
export function unitsOf(part: Part, cutter: Cutter): Unit[] {
  const { start, end, lead } = part;
  const cost = cutter.cost(start, end);
  const parts = cost <= cutter.limit ? [] : partsOf(part, cutter);
  if (parts.length > 0) return parts.flatMap((smaller) => unitsOf(smaller, cutter));
  return [{ start, end, cost, lead: lead && lead.cost + cost <= cutter.limit ? lead : undefined }];
}

/** The parts that a part is made of, none where it is a single code point already. */
function partsOf(part: Part, cutter: Cutter): Part[] {
  const { start, end, node, into, lead } = part;
  if (node?.type === 'table') return rowsOf(part, node, cutter);
  if (node?.type === 'paragraph') return [{ start, end, into: 'sentence' }];
  if (into === 'sentence' && end - start > cutter.limit * LONG) {
    const starts = stretchesWithin(part, { source: cutter.source, size: cutter.limit });
    return split(part, starts).map((piece) => ({ ...piece, into, lead }));
  }
  if (node && CONTAINERS.has(node.type) && isParent(node) && node.children.length > 0) {
    // From the start of its line, so that the marks in front of a child stay with it.
    const starts = node.children.map((child) => cutter.lines.startOf(startOf(child))).slice(1);
    return split(part, starts).map((piece, i) => ({ ...piece, node: node.children[i] }));
  }
  if (!into) {
    const starts = cutter.lines.startsWithin(start, end);
    // The markers of a fence stay with the code next to them.
    return split(part, node?.type === 'code' ? starts.slice(1, -1) : starts).map((line) => ({
      ...line,
      into: 'sentence',
      lead,
    }));
  }
  const finer = FINER[into];
  const pieces = piecesOf(cutter.source.slice(start, end), into);
  if (pieces.length === 1 && !finer) return [];
  let at = start;
  const starts = pieces.slice(0, -1).map((piece) => (at += piece.length));
  return split(part, starts).map((piece) => ({ ...piece, into: finer ?? into, lead }));
}

function piecesOf(text: string, into: keyof typeof FINER): string[] {
  // A letter may carry any number of combining marks.
  if (into === 'codePoint') return [...text];
  // A line break inside a paragraph ends no sentence.
  return segmentsOf(into === 'sentence' ? text.replace(/[\r\n]/g, ' ') : text, into);
}

/** The rows of a table, the delimiter row with the header; each may lead with the header where that is short. */
function rowsOf(part: Part, table: Nodes & { type: 'table' }, { lines, limit, cost, readable }: Cutter): Part[] {
  const [header, ...rows] = table.children;
  if (!header) return [];
  const leadCost = cost(startOf(header), endOf(header));
  const lead = leadCost <= limit / 4 ? { text: readable(startOf(header), endOf(header)), cost: leadCost } : undefined;
  const starts = rows.map((row) => lines.startOf(startOf(row))).filter((start) => start > part.start);
  return split(part, starts).map((row, i) => ({ ...row, into: 'sentence', lead: i > 0 ? lead : undefined }));
}

/** The parts of [start, end) between the given offsets. */
function split({ start, end }: Part, offsets: readonly number[]): { start: number; end: number }[] {
  const borders = [start, ...offsets, end];
  return borders.slice(1).map((border, i) => ({ start: borders[i] ?? start, end: border }));
}
