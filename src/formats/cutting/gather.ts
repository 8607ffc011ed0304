import type { Subtype } from '../../domain/passage.js';
import { CHARACTERS_PER_TOKEN } from './characters-per-token.js';
import { type Draft, draftOf, withoutScraps } from './draft.js';
import type { CrumbsOf } from './embedded-breadcrumb.js';
import type { Gathering } from './gathering.js';
import { characters } from './lines.js';
import { pack } from './pack.js';
import type { Block, Section } from './section.js';
import { trimmed } from './trimmed.js';
import { unitsOfBlocks } from './units.js';

/** How far a block may exceed the budget, alone or together with what introduces it, before it is cut. */
const WHOLE = 1.15;

/** How far a block and the sentence that introduces it may exceed the budget together. */
const INTRODUCED = 1.5;

/**
 * Gathers a section's units, in order, into passages within the budget. What nobody reads is left out. `special` are
 * the tokens of an empty text.
 */
export function gather(
  { breadcrumb, blocks }: Section,
  gathering: Gathering & { readonly crumbsOf: CrumbsOf; readonly special: number },
): Draft[] {
  const { source, lines, readable, countTokens, budget, maxTokens, crumbsOf, special } = gathering;
  const crumbs = crumbsOf(breadcrumb);
  const room = Math.max(1, maxTokens - crumbs.tokens - 1);

  // The tokens of parts need not add up to those of the whole. If a passage comes out too long, all are cut smaller.
  for (let limit = Math.min(budget, room); ; limit = Math.floor(limit * 0.8)) {
    const most = Math.min(room, Math.floor(limit * WHOLE));
    const longest = Math.min(room, Math.floor(limit * INTRODUCED));
    const cost = (start: number, end: number) =>
      characters(source, { start, end }) <= most * CHARACTERS_PER_TOKEN
        ? countTokens(readable(start, end)) - special
        : Number.POSITIVE_INFINITY;
    const units = unitsOfBlocks(blocks, { source, lines, limit, most, cost, readable });
    const drafts: Draft[] = [];
    let first = 0;
    for (const group of pack(units, { limit, most, longest, source })) {
      const { start, end } = trimmed(source, group.start, group.end);
      if (start >= end) continue;
      // Not from the first block for each group: a section may have thousands of both.
      while ((blocks[first]?.end ?? Number.POSITIVE_INFINITY) <= start) first++;
      const before = [crumbs.text, group.headerRow ?? ''].filter(Boolean);
      const parts = { before: crumbs.tokens, own: group.cost };
      const subtype = majority(blocks, { start, end, source, first });
      drafts.push(draftOf({ start, end, breadcrumb, before, names: group.names, subtype }, gathering, parts));
    }
    const isDone = limit <= 1 || drafts.every(({ fits }) => fits);
    if (isDone) return withoutScraps(withoutUnread(drafts, { source, limit }), gathering);
  }
}

/** Drafts without those that nobody reads, such as addresses of links: they end the draft before if they are short. */
function withoutUnread(drafts: readonly Draft[], { source, limit }: { source: string; limit: number }): Draft[] {
  const kept: Draft[] = [];
  for (const draft of drafts) {
    const last = kept.at(-1);
    const joined = last && { ...last, end: draft.end };
    if (draft.readable !== '') kept.push(draft);
    else if (joined && characters(source, joined) <= limit * CHARACTERS_PER_TOKEN) kept[kept.length - 1] = joined;
  }
  return kept;
}

/** The subtype that covers most of [start, end), with which no block before the first one overlaps. */
function majority(
  blocks: readonly Block[],
  { start, end, source, first }: { start: number; end: number; source: string; first: number },
): Subtype {
  const [one, two] = [blocks[first], blocks[first + 1]];
  if (one && (!two || two.start >= end)) return one.start < end ? one.subtype : 'paragraph';
  const covered = new Map<Subtype, number>();
  for (let i = first, block = blocks[i]; block && block.start < end; block = blocks[++i]) {
    const length = characters(source, { start: Math.max(start, block.start), end: Math.min(end, block.end) });
    covered.set(block.subtype, (covered.get(block.subtype) ?? 0) + length);
  }
  return [...covered].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'paragraph';
}
