import type { FoundPassage } from '../contract/search-files.js';
import type { Hit, Passage } from '../domain/passage.js';
import type { PassageStore, Window } from '../storage/passage-store.js';
import { positionOf, sourceOf } from './expand.js';
import { type Range, windowsOf } from './windows.js';

/** Stands on a line of its own where text between two matches is left out. */
const GAP = '…';

/** Hits, best first, as one passage a file: at most `limit` files, in the order of their best hits. */
export async function consolidate(
  hits: readonly Hit[],
  {
    store,
    limit,
    contextDepth,
    positions,
  }: { store: PassageStore; limit: number; contextDepth: number; positions: boolean },
): Promise<FoundPassage[]> {
  const files = new Map<string, Hit[]>();
  for (const hit of hits) files.set(hit.file.id, [...(files.get(hit.file.id) ?? []), hit]);
  const shown = [...files.values()].slice(0, limit).map(inFile);
  const excerpts = shown.map(({ best, matches }) => {
    return { fileId: best.file.id, matches, ranges: rangesOf(matches, contextDepth) };
  });
  const windows = await windowsOf(excerpts, store);
  return shown.map((file, i) => merge(file, { windows: windows[i] ?? [], positions }));
}

/** What was found in one file: the best hit, and all matches in the file's order. */
interface InFile {
  readonly best: Hit;
  readonly matches: readonly [Passage, ...Passage[]];
}

function inFile(hits: readonly Hit[]): InFile {
  const [best] = hits;
  const [first, ...others] = hits.map(({ passage }) => passage).sort((a, b) => a.position - b.position);
  if (!best || !first) throw new RangeError('a file without hits is not consolidated');
  return { best, matches: [first, ...others] };
}

function merge(
  { best, matches }: InFile,
  { windows, positions }: { windows: readonly Window[]; positions: boolean },
): FoundPassage {
  const [first] = matches;
  const last = matches.at(-1) ?? first;
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
