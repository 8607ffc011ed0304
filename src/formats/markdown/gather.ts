import type { Breadcrumb, Position, Subtype } from '../../domain/passage.js';
import { type Unit, unitsOf } from './cut.js';
import { embeddedBreadcrumb } from './embedded.js';
import type { Lines } from './lines.js';
import { withLineFeeds } from './readable.js';
import { type Block, type Section, trimmed } from './sections.js';

/** A passage as markdown gives it; its content is the slice of the text that its position names. */
export interface ParsedPassage extends Position {
  readonly breadcrumb: Breadcrumb;
  readonly subtype: Subtype;
  /** What is embedded: breadcrumb, then readable text; line feeds alone end its lines. */
  readonly text: string;
  /** The readable text alone; where there is none, the text as it is. */
  readonly readable: string;
  /** Characters of the readable text, 0 where there is none. */
  readonly length: number;
}

/** How sections become passages. */
export interface Cutting {
  /** Tokens of readable text that a passage gathers at most; breadcrumb and special tokens come on top. */
  readonly budget: number;
  /** Whether the breadcrumb is embedded with the passage. */
  readonly embedBreadcrumb: boolean;
}

export interface PassageOptions extends Cutting {
  /** Tokens that the model reads at most: no embedded text is longer. */
  readonly maxTokens: number;
  /** Tokens of a text, special ones included; a text cut in two has about as many in its parts. */
  readonly countTokens: (text: string) => number;
}

export interface Gathering extends PassageOptions {
  readonly source: string;
  readonly lines: Lines;
  readonly readable: (start: number, end: number) => string;
}

/** A passage has at most this many characters a token of its limit: a data URL, one token to the model, is cut too. */
const CHARACTERS_A_TOKEN = 10;

interface Group {
  start: number;
  end: number;
  cost: number;
  length: number;
  readonly lead: string | undefined;
}

/** Gathers a section's units, in order, into passages of at most the budget; the first has position 0. */
export function gather({ breadcrumb, blocks }: Section, gathering: Gathering): ParsedPassage[] {
  const { source, lines, readable: readableOf, countTokens, budget, maxTokens, embedBreadcrumb } = gathering;
  const special = countTokens('');
  const crumbs = embedBreadcrumb
    ? embeddedBreadcrumb(breadcrumb, { countTokens, maxTokens: Math.floor(maxTokens / 3) })
    : '';
  const crumbsCost = countTokens(crumbs);
  const room = Math.max(1, maxTokens - crumbsCost - 1);

  // Tokens of parts need not add up to the tokens of the whole: where a passage comes out too long, all are cut smaller.
  for (let limit = Math.min(budget, room); ; limit = Math.floor(limit * 0.8)) {
    const cost = (start: number, end: number) =>
      characters(source, start, end) <= limit * CHARACTERS_A_TOKEN
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
      // Half the limit leaves room for all that parts may differ from the whole by: most texts are counted once.
      const sure = read !== '' && crumbsCost + cost <= maxTokens / 2;
      fits &&= sure || countTokens(text) <= maxTokens;
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

/** Characters of [start, end), the same with CRLF as with LF. */
function characters(source: string, start: number, end: number): number {
  return withLineFeeds(source.slice(start, end)).length;
}

/** Units in order, as many together as the limit allows. */
function pack(units: readonly Unit[], { limit, source }: { limit: number; source: string }): Group[] {
  const groups: Group[] = [];
  for (const { start, end, cost, lead } of units) {
    const last = groups.at(-1);
    const length = characters(source, start, end);
    if (last && last.cost + cost <= limit && last.length + length <= limit * CHARACTERS_A_TOKEN) {
      last.end = end;
      last.cost += cost;
      last.length += length;
    } else {
      groups.push({ start, end, lead: lead?.text, cost: cost + (lead?.cost ?? 0), length });
    }
  }
  return groups;
}

/** The subtype of the blocks that fill most of [start, end). */
function majority(
  blocks: readonly Block[],
  { start, end, source }: { start: number; end: number; source: string },
): Subtype {
  const filled = new Map<Subtype, number>();
  for (const block of blocks) {
    if (block.end <= start || block.start >= end) continue;
    const length = characters(source, Math.max(start, block.start), Math.min(end, block.end));
    filled.set(block.subtype, (filled.get(block.subtype) ?? 0) + length);
  }
  return [...filled].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'paragraph';
}
