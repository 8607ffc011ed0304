import type { Metadata, Tags } from '../../domain/passage.js';
import { readFrontMatter } from './front-matter.js';
import { type Gathering, gather, type ParsedPassage, type PassageOptions } from './gather.js';
import { Lines } from './lines.js';
import { parseMdast } from './mdast.js';
import { readableText, withLineFeeds } from './readable.js';
import { type Section, sectionsOf, trimmed } from './sections.js';
import { stretchesWithin } from './stretches.js';

export type { ParsedPassage, PassageOptions } from './gather.js';

export interface ParsedFile {
  /** The front matter's title, else the first heading of level 1. */
  readonly title: string | undefined;
  readonly tags: Tags;
  readonly metadata: Metadata;
  /** In order, without overlap; with headings, front matter and blank space they make up the whole text. */
  readonly passages: readonly ParsedPassage[];
  /** What could not be understood, a sentence each. */
  readonly warnings: readonly string[];
}

/** Quotes and lists that one line opens: the parser takes seconds for 2,000 of them, and minutes for 10,000. */
const TOO_DEEP = /^[ \t]*(?:>[ \t]*|(?:[*+-]|\d{1,9}[.)])[ \t]+){500}/m;

/** Text → front matter, sections, passages. A text that the parser cannot take is cut at lines, with a warning. */
export function parseMarkdown(text: string, options: PassageOptions): ParsedFile {
  const mark = byteOrderMarks(text);
  const source = text.slice(mark);
  if (TOO_DEEP.test(source)) return cutLines(text, { ...options, reason: 'nested too deeply' });
  const lines = new Lines(source);
  try {
    const root = parseMdast(source);
    const front = readFrontMatter(root);
    const sections = sectionsOf(root, { source, lines });
    const heading = sections.find((section) => section.heading?.depth === 1 && section.heading.text !== '')?.heading;
    const titled = front.title ? sections.map((section) => withTitle(section, front.title ?? '')) : sections;
    const readable = (start: number, end: number) => readableText(root, { start, end, source });
    const passages = passagesOf(titled, { ...options, source, lines, readable });
    return {
      title: front.title ?? heading?.text,
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

/** Characters of plain text that are cut at a time: what cutting needs for each is given back before the next. */
const STRETCH = 1 << 16;

/** Passages of a text taken as plain lines, for one that the parser cannot take. */
export function cutLines(text: string, options: PassageOptions & { readonly reason: string }): ParsedFile {
  const { start, end } = trimmed(text, byteOrderMarks(text), text.length);
  const borders = [start, ...stretchesWithin({ start, end }, { source: text, size: STRETCH }), end];
  const sections = borders.slice(1).map((border, i) => plainSection(borders[i] ?? start, border));
  const readable = (from: number, to: number) => withLineFeeds(text.slice(from, to));
  const passages = passagesOf(sections, { ...options, source: text, lines: new Lines(text), readable });
  const warning = `The markdown is ${options.reason}: it was cut at lines, without headings.`;
  return { title: undefined, tags: {}, metadata: {}, passages, warnings: [warning] };
}

function plainSection(start: number, end: number): Section {
  return { breadcrumb: [], blocks: start < end ? [{ start, end, subtype: 'paragraph' }] : [] };
}

/** How many byte order marks stand in front: the parser skips one, and joined files have more. */
function byteOrderMarks(text: string): number {
  return /^\uFEFF*/.exec(text)?.[0].length ?? 0;
}

function withTitle(section: Section, title: string): Section {
  const [outermost] = section.breadcrumb;
  const same = outermost?.toLowerCase() === title.toLowerCase();
  return same ? section : { ...section, breadcrumb: [title, ...section.breadcrumb] };
}

function shift(passage: ParsedPassage, by: number): ParsedPassage {
  return by === 0 ? passage : { ...passage, start: passage.start + by, end: passage.end + by };
}

function passagesOf(sections: readonly Section[], gathering: Gathering): ParsedPassage[] {
  const passages: ParsedPassage[] = [];
  for (const [i, section] of sections.entries()) {
    for (const passage of gather(withBareHeading(section, sections[i + 1]), gathering)) {
      passages.push({ ...passage, position: passages.length });
    }
  }
  return passages;
}

/**
 * A heading with nothing under it, not even another heading, is a passage of its own, below the headings above it. One
 * that has headings under it is found by the breadcrumbs of what they head.
 */
function withBareHeading(section: Section, next: Section | undefined): Section {
  const { heading, breadcrumb, blocks } = section;
  if (blocks.length > 0 || !heading) return section;
  const parent =
    next && next.breadcrumb.length > breadcrumb.length && breadcrumb.every((above, i) => next.breadcrumb[i] === above);
  if (parent && !heading.marks) return section;
  const above = heading.text === '' ? breadcrumb : breadcrumb.slice(0, -1);
  return { breadcrumb: above, blocks: [{ ...heading, subtype: heading.depth === 1 ? 'title' : 'subtitle' }] };
}
