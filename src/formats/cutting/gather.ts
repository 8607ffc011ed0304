import type { Subtype } from '../../domain/passage.js';
import type { ParsedPassage, ParseOptions } from '../parser.js';
import { CHARACTERS_PER_TOKEN } from './characters-per-token.js';
import { embeddedBreadcrumb } from './embedded-breadcrumb.js';
import { type Lines, withLineFeeds } from './lines.js';
import type { Block, Section } from './section.js';
import { trimmed } from './trimmed.js';
import { type Unit, unitsOf } from './units.js';

/** The text that sections are gathered from, and the limits of its passages. */
export interface Gathering extends ParseOptions {
  readonly source: string;
  readonly lines: Lines;
  /** What a reader sees of the range [start, end). */
  readonly readable: (start: number, end: number) => string;
}

/** Units that become one passage; `cost` in tokens, `length` in characters. */
interface Group {
  start: number;
  end: number;
  cost: number;
  length: number;
  readonly lead: string | undefined;
}

/** Gathers a section's units, in order, into passages within the budget. Positions start at 0. */
export function gather({ breadcrumb, blocks }: Section, gathering: Gathering): ParsedPassage[] {
  const { source, lines, readable: readableOf, countTokens, budget, maxTokens, embedBreadcrumb } = gathering;
  const special = countTokens('');
  const crumbs = embedBreadcrumb
    ? embeddedBreadcrumb(breadcrumb, { countTokens, maxTokens: Math.floor(maxTokens / 3) })
    : '';
  const crumbsCost = countTokens(crumbs);
  const room = Math.max(1, maxTokens - crumbsCost - 1);

  // The tokens of parts need not add up to those of the whole. If a passage comes out too long, all are cut smaller.
  for (let limit = Math.min(budget, room); ; limit = Math.floor(limit * 0.8)) {
    const cost = (start: number, end: number) =>
      characters(source, start, end) <= limit * CHARACTERS_PER_TOKEN
        ? countTokens(readableOf(start, end)) - special
        : Number.POSITIVE_INFINITY;
    const units = blocks.flatMap((block) => unitsOf(block, { source, lines, limit, cost, readable: readableOf }));
    const groups = pack(units, { limit, source })
      .map((group) => ({ ...group, ...trimmed(source, group.start, group.end) }))
      .filter(({ start, end }) => start < end);
    const passages: ParsedPassage[] = [];
    let fits = true;
    for (const { start, end, lead, cost } of groups) {
      const read = readableOf(start, end);
      const readable = read || withLineFeeds(source.slice(start, end));
      const text = [crumbs, lead, readable].filter(Boolean).join('\n');
      // Below half the limit the sum cannot be off by enough to matter, so most texts are counted only once.
      const surelyFits = read !== '' && crumbsCost + cost <= maxTokens / 2;
      fits &&= surelyFits || countTokens(text) <= maxTokens;
      const position = { start, end, startLine: lines.lineOf(start), endLine: lines.lineOf(end - 1) };
      const subtype = majority(blocks, { start, end, source });
      passages.push({
        position: passages.length,
        ...position,
        breadcrumb,
        subtype,
        text,
        readable,
        length: read.length,
      });
    }
    if (fits || limit <= 1) return passages;
  }
}

/** Characters of [start, end), the same for CRLF as for LF. */
function characters(source: string, start: number, end: number): number {
  return withLineFeeds(source.slice(start, end)).length;
}

/** Units in order, grouped greedily up to the limit. */
function pack(units: readonly Unit[], { limit, source }: { limit: number; source: string }): Group[] {
  const groups: Group[] = [];
  for (const { start, end, cost, lead } of units) {
    const last = groups.at(-1);
    const length = characters(source, start, end);
    if (last && last.cost + cost <= limit && last.length + length <= limit * CHARACTERS_PER_TOKEN) {
      last.end = end;
      last.cost += cost;
      last.length += length;
    } else {
      groups.push({ start, end, lead: lead?.text, cost: cost + (lead?.cost ?? 0), length });
    }
  }
  return groups;
}

/** The subtype that covers most of [start, end). */
function majority(
  blocks: readonly Block[],
  { start, end, source }: { start: number; end: number; source: string },
): Subtype {
  const covered = new Map<Subtype, number>();
  for (const block of blocks) {
    if (block.end <= start || block.start >= end) continue;
    const length = characters(source, Math.max(start, block.start), Math.min(end, block.end));
    covered.set(block.subtype, (covered.get(block.subtype) ?? 0) + length);
  }
  return [...covered].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'paragraph';
}
