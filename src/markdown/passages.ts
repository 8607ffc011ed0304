import type { Breadcrumb, Metadata, Position, Subtype, Tags } from '../passage.js';
import { type Unit, unitsOf } from './cut.js';
import { embeddedBreadcrumb } from './embedded.js';
import { readFrontMatter } from './front-matter.js';
import { Lines } from './lines.js';
import { parseMdast } from './mdast.js';
import { readableText } from './readable.js';
import { type Block, type Section, sectionsOf, trimmed } from './sections.js';

/** A passage as markdown gives it; its content is the slice of the text that its position names. */
export interface ParsedPassage extends Position {
  readonly breadcrumb: Breadcrumb;
  readonly subtype: Subtype;
  /** What is embedded: breadcrumb, then readable text. */
  readonly text: string;
}

export interface ParsedFile {
  /** The front matter's title, else the first heading of level 1. */
  readonly title: string | undefined;
  readonly tags: Tags;
  readonly metadata: Metadata;
  readonly passages: readonly ParsedPassage[];
  /** What could not be understood, a sentence each. */
  readonly warnings: readonly string[];
}

export interface PassageOptions {
  /** Tokens of readable text that a passage gathers at most; breadcrumb and special tokens come on top. */
  readonly budget: number;
  /** Tokens that the model reads at most: no embedded text is longer. */
  readonly maxTokens: number;
  /** Tokens of a text, special ones included. */
  readonly countTokens: (text: string) => number;
}

/** A token stands for at most this many characters of source, so that a data URL, one token to the model, is cut too. */
const CHARACTERS_A_TOKEN = 10;

/** Text → front matter, sections, passages. A text that the parser cannot take is cut at lines, with a warning. */
export function parseMarkdown(text: string, options: PassageOptions): ParsedFile {
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  const source = text.slice(mark);
  const lines = new Lines(source);
  try {
    const root = parseMdast(source);
    const front = readFrontMatter(root);
    const sections = sectionsOf(root, { source, lines });
    const heading = sections.find((section) => section.heading?.depth === 1)?.heading?.text;
    const titled = front.title ? sections.map((section) => withTitle(section, front.title ?? '')) : sections;
    const readable = (start: number, end: number) => readableText(root, { start, end, source });
    const passages = passagesOf(titled, { ...options, source, lines, readable });
    return {
      title: front.title ?? heading,
      tags: front.tags,
      metadata: front.metadata,
      passages: passages.map((passage) => shift(passage, mark)),
      warnings: front.warnings,
    };
  } catch (error) {
    // Quotes or lists nested thousands deep: mdast's own recursion, or ours over its tree, overflows.
    if (!(error instanceof RangeError)) throw error;
    return cutLines(text, { ...options, reason: 'nested too deeply' });
  }
}

/** Passages of a text taken as plain lines, for one that the parser cannot take. */
export function cutLines(text: string, options: PassageOptions & { readonly reason: string }): ParsedFile {
  const block: Block = { ...trimmed(text, 0, text.length), subtype: 'paragraph' };
  const sections = block.start < block.end ? [{ breadcrumb: [], blocks: [block] }] : [];
  const readable = (start: number, end: number) => text.slice(start, end);
  const passages = passagesOf(sections, { ...options, source: text, lines: new Lines(text), readable });
  const warning = `The markdown is ${options.reason}: it was cut at lines, without headings.`;
  return { title: undefined, tags: {}, metadata: {}, passages, warnings: [warning] };
}

function withTitle(section: Section, title: string): Section {
  const [outermost] = section.breadcrumb;
  const same = outermost?.toLowerCase() === title.toLowerCase();
  return same ? section : { ...section, breadcrumb: [title, ...section.breadcrumb] };
}

function shift(passage: ParsedPassage, by: number): ParsedPassage {
  return by === 0 ? passage : { ...passage, start: passage.start + by, end: passage.end + by };
}

interface Making extends PassageOptions {
  readonly source: string;
  readonly lines: Lines;
  readonly readable: (start: number, end: number) => string;
}

function passagesOf(sections: readonly Section[], making: Making): ParsedPassage[] {
  const passages: ParsedPassage[] = [];
  for (const section of sections) {
    for (const passage of section.blocks.length > 0 ? gather(section, making) : bareHeading(section, making)) {
      passages.push({ ...passage, position: passages.length });
    }
  }
  return passages;
}

/** A heading with nothing under it is a passage of its own, below the headings above it. */
function bareHeading({ heading, breadcrumb }: Section, making: Making): ParsedPassage[] {
  if (!heading) return [];
  const above = heading.text === '' ? breadcrumb : breadcrumb.slice(0, -1);
  const block = { ...heading, subtype: heading.depth === 1 ? ('title' as const) : ('subtitle' as const) };
  return gather({ breadcrumb: above, blocks: [block] }, making);
}

/** Gathers a section's units, in order, into passages of at most the budget. */
function gather(section: Section, making: Making): ParsedPassage[] {
  const { source, lines, readable, countTokens } = making;
  const special = countTokens('');
  const crumbs = embeddedBreadcrumb(section.breadcrumb, { ...making, maxTokens: Math.floor(making.maxTokens / 3) });
  const room = making.maxTokens - countTokens(crumbs) - 1;
  const cost = (start: number, end: number) =>
    Math.max(countTokens(readable(start, end)) - special, Math.ceil((end - start) / CHARACTERS_A_TOKEN));
  // Tokens of parts need not add up to the tokens of the whole: where a passage comes out too long, all are cut smaller.
  for (let limit = Math.min(making.budget, room); ; limit = Math.floor(limit * 0.8)) {
    const cutter = { source, lines, limit, cost, readable };
    const units = section.blocks.flatMap((block) => unitsOf(block, cutter));
    const passages = pack(units, limit).map((group): ParsedPassage => {
      const { start, end } = trimmed(source, group.start, group.end);
      const text = [crumbs, group.lead, readable(start, end) || source.slice(start, end)].filter(Boolean).join('\n');
      const subtype = majority(section.blocks, start, end);
      const position = { start, end, startLine: lines.lineOf(start), endLine: lines.lineOf(Math.max(start, end - 1)) };
      return { position: 0, ...position, breadcrumb: section.breadcrumb, subtype, text };
    });
    const solid = passages.filter(({ start, end }) => start < end);
    if (limit <= 1 || solid.every(({ text }) => countTokens(text) <= making.maxTokens)) return solid;
  }
}

function pack(units: readonly Unit[], limit: number): { start: number; end: number; lead: string | undefined }[] {
  const groups: { start: number; end: number; lead: string | undefined; cost: number }[] = [];
  for (const { start, end, cost, lead } of units) {
    const last = groups.at(-1);
    if (last && last.cost + cost <= limit) {
      last.end = end;
      last.cost += cost;
    } else {
      groups.push({ start, end, lead: lead?.text, cost: cost + (lead?.cost ?? 0) });
    }
  }
  return groups;
}

/** The subtype of the blocks that fill most of [start, end). */
function majority(blocks: readonly Block[], start: number, end: number): Subtype {
  const filled = new Map<Subtype, number>();
  for (const block of blocks) {
    const length = Math.min(end, block.end) - Math.max(start, block.start);
    if (length > 0) filled.set(block.subtype, (filled.get(block.subtype) ?? 0) + length);
  }
  return [...filled].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'paragraph';
}
