import type { Line } from './lines.js';
import { readableIn } from './readable.js';
import type { Range, Source } from './source.js';

/** An introduction whose block begins the next passage. */
export interface Parted {
  readonly kind: 'list' | 'table' | 'code';
  /** The last sentence of the introduction with the first item, the first row with its header, or half of the code. */
  readonly beginning: string;
  /** The same sentence with the whole block. */
  readonly whole: string;
}

const ITEM = /^[ \t>]*(?:[-+*]|\d{1,9}[.)])[ \t]/;
const DELIMITERS = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const CODE: ReadonlySet<Line['kind']> = new Set(['open', 'code', 'close', 'indented']);
const SHOWN: ReadonlySet<Line['kind']> = new Set(['text', ...CODE]);

/** The block that a passage introduces and with which the next one begins; undefined if it introduces none. */
export function partedBlock(source: Source, [passage, next]: readonly [Range, Range]): Parted | undefined {
  const last = source.linesIn(passage).findLast(({ kind, start, end }) => isShown(source, kind, { start, end }));
  const introduction = readableIn(source, passage);
  if (last?.kind !== 'text' || !/[:：][\s*_~"'”’)\]]*$/.test(introduction)) return undefined;
  const { lines } = source.scan;
  const first = lines.findIndex((line) => line.end > next.start && isShown(source, line.kind, clipped(line, next)));
  const line = lines[first];
  if (!line || line.start >= next.end || (isQuoted(source, line) && !isQuoted(source, last))) return undefined;
  const kind = kindOf(source, first);
  if (!kind) return undefined;
  const sentence =
    introduction
      .trim()
      .split(/(?<=[.!?])\s+|\n/)
      .at(-1) ?? '';
  const [part, end] = { list, table, code }[kind](source, first);
  const start = Math.max(line.start, next.start);
  const text = (to: number) => `${sentence}\n${readableIn(source, { start, end: to })}`;
  return { kind, beginning: text(part), whole: text(end) };
}

function isQuoted({ text }: Source, { start, end }: Line): boolean {
  return text.slice(start, end).trimStart().startsWith('>');
}

function clipped({ start, end }: Line, range: Range): Range {
  return { start: Math.max(start, range.start), end: Math.min(end, range.end) };
}

/** Whether a reader sees something of a line. */
function isShown(source: Source, kind: Line['kind'], range: Range): boolean {
  return kind !== 'text' ? SHOWN.has(kind) : readableIn(source, range).trim() !== '';
}

function kindOf(source: Source, at: number): Parted['kind'] | undefined {
  const line = source.scan.lines[at];
  const next = source.scan.lines[at + 1];
  if (!line) return undefined;
  const text = source.text.slice(line.start, line.end);
  // The fence of an item belongs to the item.
  if (ITEM.test(text) && line.kind !== 'code' && line.kind !== 'indented') return 'list';
  if (CODE.has(line.kind)) return 'code';
  const below = next ? source.text.slice(next.start, next.end) : '';
  return text.includes('|') && below.includes('-') && DELIMITERS.test(below) ? 'table' : undefined;
}

/** Where the first item ends, and where the list does. */
function list({ text, scan: { lines } }: Source, first: number): [item: number, list: number] {
  const columns = (line: Line) => /^[ \t>]*/.exec(text.slice(line.start, line.end))?.[0].length ?? 0;
  const [opening] = lines.slice(first);
  const indent = opening ? columns(opening) : 0;
  let [item, end] = [0, opening?.end ?? 0];
  let blank = false;
  for (const line of lines.slice(first + 1)) {
    if (line.kind === 'blank') {
      blank = true;
      continue;
    }
    const isItem = line.kind !== 'code' && ITEM.test(text.slice(line.start, line.end)) && columns(line) <= indent;
    const isOutside = columns(line) <= indent && line.kind !== 'code' && line.kind !== 'close';
    if (!isItem && isOutside && (blank || line.kind !== 'text')) break;
    if (isItem && columns(line) < indent) break;
    if (isItem && item === 0) item = end;
    [end, blank] = [line.end, false];
  }
  return [item || end, end];
}

function table({ text, scan: { lines } }: Source, first: number): [row: number, table: number] {
  const rows = lines.slice(first);
  const length = rows.findIndex(({ kind, start, end }) => kind !== 'text' || !text.slice(start, end).includes('|'));
  const ends = rows.slice(0, length < 0 ? rows.length : length).map(({ end }) => end);
  return [ends[2] ?? ends.at(-1) ?? 0, ends.at(-1) ?? 0];
}

function code({ scan: { lines } }: Source, first: number): [half: number, code: number] {
  const rest = lines.slice(first);
  const fenced = rest[0]?.kind === 'open';
  const stop = rest.findIndex(({ kind }) => (fenced ? kind === 'close' : kind !== 'indented' && kind !== 'blank'));
  const block = rest.slice(0, stop < 0 ? rest.length : stop);
  const content = block.filter(({ kind }) => kind === 'code' || kind === 'indented');
  const half = content[Math.ceil(content.length / 2) - 1];
  return [half?.end ?? rest[0]?.end ?? 0, content.at(-1)?.end ?? rest[0]?.end ?? 0];
}
