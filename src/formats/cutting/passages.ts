import { describeExcess } from '../../domain/excess.js';
import { LIMITS } from '../../domain/limits.js';
import type { Breadcrumb } from '../../domain/passage.js';
import type { ParsedPassage } from '../parser.js';
import { addDraft, type Draft, draftOf, embeddedText, isScrap, namesLine } from './draft.js';
import { crumbsOf } from './embedded-breadcrumb.js';
import { gather } from './gather.js';
import type { Gathering } from './gathering.js';
import type { Section } from './section.js';

/** The passages of all sections, numbered from 0. Beyond the limit of a file's breadcrumbs, passages have none. */
export function passagesOf(
  sections: readonly Section[],
  gathering: Gathering,
): { readonly passages: ParsedPassage[]; readonly warnings: readonly string[] } {
  const drafts: Draft[] = [];
  let room = LIMITS.breadcrumbs.value;
  const cutting = { ...gathering, crumbsOf: crumbsOf(gathering), special: gathering.countTokens('') };
  let firstWithout: number | undefined;
  for (const [i, section] of sections.entries()) {
    const bytes = bytesOf(section.breadcrumb);
    const breadcrumb = bytes > room ? [] : section.breadcrumb;
    const found = gather({ breadcrumb, blocks: section.blocks }, cutting);
    const isNamedBelow = isAbove(section, sections[i + 1]);
    for (const one of withHeading(found, { ...section, isNamedBelow }, gathering)) {
      if (!addDraft(drafts, one, gathering)) room -= bytes;
      const last = drafts.length - 1;
      if (room < 0) firstWithout ??= last;
      if (firstWithout !== undefined) drafts[last] = { ...(drafts[last] as Draft), breadcrumb: [] };
    }
  }
  const read = drafts
    .map((draft) => ({ ...draft, readable: draft.readable ?? gathering.readable(draft.start, draft.end) }))
    // Drafts that were joined may show nothing, although each alone does: a script begins in one and hides the other.
    .filter(({ readable }) => readable !== '');
  const passages = read.map((draft, position) => passageOf(draft, { position, gathering }));
  const start = firstWithout === undefined ? undefined : drafts[firstWithout]?.start;
  const line = start === undefined ? undefined : gathering.lines.lineOf(start);
  const excess = describeExcess({ limit: LIMITS.breadcrumbs });
  return { passages, warnings: line === undefined ? [] : [`${excess}: from line ${line} on, passages have none.`] };
}

/**
 * A section of a few words, with its heading if they are enough together; of a section without words, the heading,
 * unless the breadcrumbs below have it.
 */
function withHeading(
  found: readonly Draft[],
  { headingStart, breadcrumb, blocks, isNamedBelow }: Section & { readonly isNamedBelow: boolean },
  gathering: Gathering,
): readonly Draft[] {
  const [only] = found;
  const last = blocks.at(-1);
  if (headingStart === undefined || found.length > 1) return found;
  if (!only && isNamedBelow) return [];
  if (!only && last) {
    const range = { start: headingStart, end: last.end, breadcrumb: breadcrumb.slice(0, -1), subtype: last.subtype };
    const heading = draftOf({ ...range, before: [] }, gathering);
    return heading.readable !== '' && heading.fits ? [heading] : [];
  }
  if (!only || headingStart >= only.start) return found;
  if (!isScrap(only, gathering)) return found;
  const whole = draftOf({ ...only, start: headingStart }, gathering);
  return whole.fits ? [whole] : found;
}

/** Whether the next section is below the heading of this one. */
function isAbove({ breadcrumb }: Section, below: Section | undefined): boolean {
  const isDeeper = below !== undefined && below.breadcrumb.length > breadcrumb.length;
  return isDeeper && breadcrumb.every((heading, i) => heading === below.breadcrumb[i]);
}

function passageOf(
  draft: Draft & { readonly readable: string },
  { position, gathering: { lines, frame } }: { position: number; gathering: Gathering },
): ParsedPassage {
  const { start, end, breadcrumb, subtype, readable } = draft;
  const place = { position, start, end, startLine: lines.lineOf(start), endLine: lines.lineOf(end - 1) };
  const texts = { text: embeddedText(draft, readable), readable, length: readable.length };
  const names = namesLine(draft);
  return { ...place, breadcrumb, subtype, ...texts, ...(names && { names }), ...frame?.(start, end) };
}

function bytesOf(breadcrumb: Breadcrumb): number {
  return breadcrumb.reduce((sum, heading) => sum + Buffer.byteLength(heading), 0);
}
