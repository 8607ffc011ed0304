import type { FoundPassage } from '../contract/search-files.js';
import type { Hit, Passage } from '../passage.js';
import type { PassageStore, Window } from '../passage-store.js';
import { positionOf, sourceOf } from './expand.js';
import { type Range, windowsOf } from './windows.js';

/** Stands on a line of its own where text between two matches is left out. */
const GAP = '…';

/** Hits, best first, as one passage a file: at most `limit` files, in the order of their best hits. */
export async function consolidate(
  hits: readonly Hit[],
  { store, limit, ...options }: { store: PassageStore; limit: number; contextDepth: number; positions: boolean },
): Promise<FoundPassage[]> {
  const files = new Map<string, Hit[]>();
  for (const hit of hits) files.set(hit.file.id, [...(files.get(hit.file.id) ?? []), hit]);
  return Promise.all([...files.values()].slice(0, limit).map((ofFile) => merge(ofFile, { store, ...options })));
}

async function merge(
  hits: readonly Hit[],
  { store, contextDepth, positions }: { store: PassageStore; contextDepth: number; positions: boolean },
): Promise<FoundPassage> {
  const [best] = hits;
  const inOrder = hits.map(({ passage }) => passage).sort((a, b) => a.position - b.position);
  const [first, last] = [inOrder[0], inOrder.at(-1)];
  if (!best || !first || !last) throw new RangeError('a file without hits is not consolidated');
  const ranges = rangesOf(inOrder, contextDepth);
  const windows = await windowsOf(best.file.id, { store, matches: inOrder, ranges });
  return {
    content: underHeadings(windows),
    score: best.score,
    meta: {
      type: 'consolidated',
      position: first.position,
      ...sourceOf(best.file),
      ...(positions && { ...positionOf(first), end: last.end, endLine: last.endLine }),
      ...(best.explanation && { explanation: best.explanation }),
    },
    file: best.file,
  };
}

/** Ranges of positions around the matches; those that touch or overlap are one. */
function rangesOf(matches: readonly Passage[], contextDepth: number): Range[] {
  const ranges: { from: number; to: number }[] = [];
  for (const { position } of matches) {
    const range = { from: Math.max(0, position - contextDepth), to: position + contextDepth };
    const last = ranges.at(-1);
    if (last && range.from <= last.to + 1) last.to = range.to;
    else ranges.push(range);
  }
  return ranges;
}

/** The windows' texts, each under those of its headings that were not shown yet, with gaps marked between them. */
function underHeadings(windows: readonly Window[]): string {
  const parts: string[] = [];
  let last: Passage | undefined;
  for (const { text, passages } of windows) {
    const [first] = passages;
    if (last) parts.push(GAP);
    if (first) parts.push(...headingsOf(first, last));
    parts.push(text);
    last = passages.at(-1);
  }
  return parts.join('\n\n');
}

/** The headings above a passage, as markdown, from the first on that the last passage shown does not stand under. */
function headingsOf({ breadcrumb }: Passage, last: Passage | undefined): string[] {
  const common = breadcrumb.findIndex((heading, level) => heading !== last?.breadcrumb[level]);
  if (common < 0) return [];
  return breadcrumb.slice(common).map((heading, i) => `${'#'.repeat(Math.min(common + i + 1, 6))} ${heading}`);
}
