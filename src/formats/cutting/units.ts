import type { Nodes } from 'mdast';
import { HIDDEN, withoutHidden } from '../hidden.js';
import { CHARACTERS_PER_TOKEN } from './characters-per-token.js';
import { characters, type Lines } from './lines.js';
import { endOf, isContainer, lastBlock, startOf } from './nodes.js';
import type { Block } from './section.js';
import { FINER, piecesOf } from './segments.js';
import { stretchesWithin } from './stretches.js';
import { type Label, type Naming, shortHeader } from './values/labels.js';
import { type Value, valuesOf } from './values/values.js';

/** A part of a block that is not cut further. */
export interface Unit {
  readonly start: number;
  readonly end: number;
  /** Tokens. */
  readonly cost: number;
  /** The header row of the unit's table, embedded before a passage that begins with this unit. */
  readonly headerRow?: Label | undefined;
  /** The end of it that ends in a colon, and so introduces the next unit; it may be the whole unit. */
  readonly introduction?: { readonly start: number; readonly cost: number } | undefined;
  /** Whether it is a block that the unit before it introduces, so that both stay together. */
  readonly isIntroduced?: boolean;
  /** The value that it is, or is a part of, in a row that is too long for a passage. */
  readonly value?: Value | undefined;
}

/** The text that blocks are cut from, and the limit of a unit. */
export interface UnitContext {
  readonly source: string;
  readonly lines: Lines;
  /** Tokens of a passage. */
  readonly limit: number;
  /** The most tokens of a block that is not cut. */
  readonly most: number;
  /** Tokens of the range [start, end); infinite if the range has too many characters to be worth counting. */
  readonly cost: (start: number, end: number) => number;
  /** The readable text of the range [start, end). */
  readonly readable: (start: number, end: number) => string;
}

/** The work on a section's blocks. */
interface Cutting extends UnitContext, Naming {
  readonly units: Unit[];
}

interface Part {
  readonly start: number;
  readonly end: number;
  readonly node?: Nodes | undefined;
  readonly cuts?: Block['cuts'];
  readonly header?: Block['header'];
  readonly cellsOf?: Block['cellsOf'];
  readonly value?: Value | undefined;
  /** Tokens to be left for what names the part; infinite if only its values can be named. */
  readonly naming?: number | undefined;
  /** What the part's text is cut into next; undefined while the part is a block. */
  readonly into?: keyof typeof FINER | undefined;
  readonly headerRow?: Unit['headerRow'];
  /** Tokens to be left for what introduces the part. */
  readonly reserve?: number;
  /** What kind of block comes next. */
  readonly next?: Nodes['type'] | undefined;
}

/** Characters of the last sentence, and of tags that nobody sees after it. */
const LONGEST_INTRODUCTION = 1_000;

/**
 * A line with more than this many characters per token of the limit is data, possibly megabytes of it. It is cut into
 * stretches of as many characters as the limit has tokens, so that each character is counted only once.
 */
const DATA_CHARACTERS_PER_TOKEN = 100;

/** What introduces the next unit ends in a colon, which marks may follow: `**Example:**`, `:</p>`, those of a quote. */
const COLON = new RegExp(`[:：](?:[*_\\s>${HIDDEN}]|</\\w+>)*$`);

const ENDS_SENTENCE = /[.!?…。！？)]$/;

/** The end of a bold sentence; a bold question is a title, and a title may end in brackets. */
const ENDS_BOLD_SENTENCE = /[.!…。！](?:\*\*|__)$/;

/** The title of what can be opened, or only the tag that begins it: `<details><summary>Title</summary>`. */
const SUMMARY = /(?:<\/summary>|<details\b[^<>]*>)\s*$/;

/** The end of a text without final punctuation: `Install it with`; tags may follow. */
const UNPUNCTUATED = /[\p{L}\p{N}=,`](?:[*_]|<\/\w+>){0,3}$/u;

/** Blocks that a text without final punctuation introduces. */
const INTRODUCED: ReadonlySet<string> = new Set(['code', 'table', 'list']);

/** Blocks that show nothing where they have no words. An image is seen, and so is the code that a fence includes. */
const UNSEEN: ReadonlySet<string> = new Set(['html', 'definition']);

/** The units of a section's blocks. The first part of a long block leaves room for what introduces the block. */
export function unitsOfBlocks(blocks: readonly Block[], context: UnitContext): Unit[] {
  const units: Unit[] = [];
  const withUnits = { ...context, units, labels: new Map() };
  for (const [i, block] of blocks.entries()) {
    const reserve = units.at(-1)?.introduction?.cost ?? 0;
    const next = blocks[i + 1]?.node?.type;
    addUnits({ ...block, next, reserve }, withUnits);
  }
  return units;
}

/**
 * Cuts a block into adjacent units: the block itself if it has at most `most` tokens, else its rows, items or lines
 * within the limit, and where one of these is too long its sentences, words, graphemes and finally code points.
 */
function addUnits(part: Part, context: Cutting): void {
  const { start, end, node, headerRow, reserve = 0, value, naming = 0 } = part;
  const cost = context.cost(start, end);
  const limit = context.limit - naming;
  const fitsIntroduced = cost + reserve <= (node ? context.most : limit);
  // Between items and rows a cut does little harm: the first of them stay with what introduces them.
  const fitsAlone = cost <= limit && node?.type !== 'list' && node?.type !== 'table' && !part.cuts;
  const isWhole = fitsIntroduced || fitsAlone;
  const row = isWhole || part.cuts ? undefined : part.cellsOf?.(part);
  if (row) {
    // Not spread: a row may have thousands of values.
    for (const { start, end, naming, value } of valuesOf(row, context)) {
      addUnits({ start, end, naming, value, into: 'line' }, context);
    }
    return;
  }
  const parts = isWhole ? [] : partsOf(part, context);
  for (const smaller of parts) addUnits(value ? { ...smaller, value, naming } : smaller, context);
  if (parts.length > 0) return;
  if (cost === 0 && (!node || UNSEEN.has(node.type)) && endsIntroduction(part, context)) return;
  if (value) {
    // One for what is between two values.
    context.units.push({ start, end, cost: start === value.start ? cost + 1 : cost, value });
    return;
  }
  const from = introductionIn(part, context);
  const introduction = from === undefined ? from : { start: from, cost: from > start ? context.cost(from, end) : cost };
  if (introduction && joinsIntroduction(part, cost, context)) return;
  const isAfterHeader = part.header !== undefined && part.header.end <= start;
  const header = headerRow ?? (isAfterHeader ? shortHeader(part, context) : undefined);
  const repeated = header && header.cost + cost <= context.limit ? header : undefined;
  const isIntroduced = reserve > 0 && node?.type !== 'paragraph';
  context.units.push({ start, end, cost, headerRow: repeated, introduction, isIntroduced });
}

/** Adds a part that nobody sees to the unit before it, if that introduces what comes next. */
function endsIntroduction({ end }: Part, { units, source, limit }: Cutting): boolean {
  const last = units.at(-1);
  if (!last?.introduction) return false;
  const whole = { ...last, end };
  if (characters(source, whole) > limit * CHARACTERS_PER_TOKEN) return false;
  units[units.length - 1] = whole;
  return true;
}

/** Adds a part that introduces without a colon to the unit before it, if that introduces the part, as a title. */
function joinsIntroduction({ start, end }: Part, cost: number, { units, source, limit }: Cutting): boolean {
  const last = units.at(-1);
  if (!last?.introduction || COLON.test(source.slice(start, end))) return false;
  const introduction = { ...last.introduction, cost: last.introduction.cost + cost };
  if (introduction.cost > limit / 2) return false;
  units[units.length - 1] = { ...last, end, cost: last.cost + cost, introduction };
  return true;
}

/** Where the end of a part starts that introduces the next one; undefined if none does. */
function introductionIn(part: Part, { source, lines }: UnitContext): number | undefined {
  const { start, end, node } = part;
  const from = Math.max(start, end - LONGEST_INTRODUCTION);
  const ending = source.slice(from, end);
  if (!COLON.test(ending) && !introducesWithoutColon(part, ending)) return undefined;
  if (node?.type === 'paragraph') return lastSentence(part, { source, textStart: startOf(node) });
  if (node?.type === 'html' && SUMMARY.test(ending)) return from + summaryIn(ending);
  const last = node && lastBlock(node);
  return last ? Math.max(start, lines.startOf(startOf(last))) : start;
}

/**
 * Whether a part is a title: the summary of what can be opened, a text that a mark shows on its line, one that is bold
 * alone, or one without final punctuation before some blocks.
 */
function introducesWithoutColon({ node, next }: Part, text: string): boolean {
  if (next === undefined || next === 'thematicBreak') return false;
  if (node?.type === 'html') return SUMMARY.test(text);
  if (node?.type !== 'paragraph') return false;
  const beginsWithMark = text.trimStart().startsWith(HIDDEN);
  const isBold = node.children.length === 1 && node.children[0]?.type === 'strong';
  if (!beginsWithMark && !isBold && !INTRODUCED.has(next)) return false;
  const shown = withoutHidden(text).trim();
  if (isBold) return !ENDS_BOLD_SENTENCE.test(shown) && !/[\r\n]/.test(shown);
  if (shown === '' || ENDS_SENTENCE.test(shown)) return false;
  if (INTRODUCED.has(next) && UNPUNCTUATED.test(shown)) return true;
  const isOne = text.split(HIDDEN).filter((part) => part.trim() !== '').length === 1;
  return beginsWithMark && isOne && !/[\r\n]/.test(shown);
}

/** Where the title of what can be opened begins, with the tag before it. */
function summaryIn(html: string): number {
  const details = html.lastIndexOf('<details');
  return Math.max(0, details < 0 ? html.lastIndexOf('<summary') : details);
}

/** Where the last sentence of a part starts, whose text starts after a marker such as that of an item. */
function lastSentence({ start, end }: Part, { source, textStart }: { source: string; textStart: number }): number {
  const from = Math.max(textStart, end - LONGEST_INTRODUCTION);
  const sentences = piecesOf(source.slice(from, end), 'sentence');
  return sentences.length > 1 ? end - (sentences.at(-1)?.length ?? 0) : start;
}

/**
 * Lines of code gathered into parts of about the same size. A blank line is a better end than any other.
 */
function evenParts(part: Part, { lines, limit, cost }: UnitContext): Part[] {
  const { reserve = 0 } = part;
  // The opening and closing fence stay with the code next to them.
  const each = split(part, lines.startsWithin(part.start, part.end).slice(1, -1)).map((line) => ({
    ...line,
    cost: Math.min(cost(line.start, line.end), limit),
  }));
  const total = each.reduce((sum, line) => sum + line.cost, reserve);
  const target = total / Math.ceil(total / limit);
  const starts: number[] = [];
  let sum = reserve;
  for (const [i, line] of each.entries()) {
    const previous = each[i - 1];
    const isFull = sum >= target || (sum >= target * 0.75 && previous?.cost === 0);
    if (previous && (isFull || sum + line.cost > limit)) {
      starts.push(line.start);
      sum = 0;
    }
    sum += line.cost;
  }
  // A part of one line is cut further like any line.
  return split(part, starts).map((piece) => ({ ...piece, into: each.length > 1 ? 'line' : 'sentence' }));
}

/** The next smaller parts of a part; none if it is a single code point. */
function partsOf(part: Part, context: Cutting): Part[] {
  const { start, end, node, into, headerRow } = part;
  if (part.cuts) return partsAt(part, part.cuts, context);
  if (node?.type === 'table') return rowsOf(part, node, context);
  if (node?.type === 'paragraph') return [{ start, end, into: 'sentence' }];
  if (into === 'sentence' && end - start > context.limit * DATA_CHARACTERS_PER_TOKEN) {
    const starts = stretchesWithin(part, { source: context.source, size: context.limit });
    return split(part, starts).map((piece) => ({ ...piece, into, headerRow }));
  }
  if (node && isContainer(node) && node.children.length > 0) {
    // From the start of the line, so that the marker before a child stays with it.
    const starts = node.children.map((child) => context.lines.startOf(startOf(child))).slice(1);
    const { children } = node;
    return split(part, starts).map((piece, i) => ({ ...piece, node: children[i], next: children[i + 1]?.type }));
  }
  if (node?.type === 'code') return evenParts(part, context);
  if (!into || into === 'line') {
    return split(part, context.lines.startsWithin(start, end)).map((line) => ({
      ...line,
      into: 'sentence',
      headerRow,
    }));
  }
  const finer = FINER[into];
  const pieces = piecesOf(context.source.slice(start, end), into);
  if (pieces.length === 1 && !finer) return [];
  let at = start;
  const starts = pieces.slice(0, -1).map((piece) => (at += piece.length));
  return split(part, starts).map((piece) => ({ ...piece, into: finer ?? into, headerRow }));
}

/** The parts between offsets. A short header stays with the first of them, and is repeated before each later part. */
function partsAt(part: Part, cuts: readonly number[], context: UnitContext): Part[] {
  const { start, end, header, cellsOf } = part;
  const { limit, cost } = context;
  const headerRow = shortHeader(part, context);
  const isWithFirst = header !== undefined && cuts[0] === header.end && cost(start, cuts[1] ?? end) <= limit;
  return split({ start, end }, isWithFirst ? cuts.slice(1) : cuts).map((row) => {
    const after =
      header && row.start >= header.end ? { headerRow, naming: cellsOf && (headerRow?.cost ?? Infinity) } : {};
    return { ...row, into: 'line', cellsOf, ...after };
  });
}

/** The rows of a table. A short header is repeated before each later row. */
function rowsOf(part: Part, table: Nodes & { type: 'table' }, context: UnitContext): Part[] {
  const { lines, limit, cost } = context;
  const [header, ...rows] = table.children;
  if (!header) return [];
  const headerRow = shortHeader({ header: { start: startOf(header), end: endOf(header) } }, context);
  // A header without rows has no meaning.
  const isWithFirst = rows[0] !== undefined && cost(part.start, endOf(rows[0])) <= limit;
  const starts = rows.slice(isWithFirst ? 1 : 0).map((row) => lines.startOf(startOf(row)));
  const apart = starts.filter((start) => start > part.start);
  return split(part, apart).map((row, i) => ({ ...row, into: 'sentence', headerRow: i > 0 ? headerRow : undefined }));
}

/** The range [start, end) split at the given offsets. */
function split({ start, end }: Part, offsets: readonly number[]): { start: number; end: number }[] {
  const borders = [start, ...offsets, end];
  return borders.slice(1).map((border, i) => ({ start: borders[i] ?? start, end: border }));
}
