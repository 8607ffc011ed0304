import type { ContextItem, FoundPassage, MatchPosition } from '../contract/search-files.js';
import type { Breadcrumb, FileSummary, Hit, Passage } from '../domain/passage.js';
import type { PassageStore, Window } from '../storage/passage-store.js';
import { windowsOf } from './windows.js';

export interface ExpandOptions {
  readonly contextDepth: number;
  readonly includeBreadcrumb: boolean;
  readonly withContext: boolean;
  /** Says in `meta` where the match stands. */
  readonly positions: boolean;
}

/** Hits as searchFiles answers them: the content reaches over the adjacent passages, as one slice of the file. */
export async function expand(
  hits: readonly Hit[],
  { store, ...options }: ExpandOptions & { store: PassageStore },
): Promise<FoundPassage[]> {
  const excerpts = hits.map(({ passage, file }) => {
    const range = { from: passage.position - options.contextDepth, to: passage.position + options.contextDepth };
    return { fileId: file.id, matches: [passage], ranges: [range] };
  });
  const windows = await windowsOf(excerpts, store);
  return hits.map((hit, i) => expanded(hit, { window: windows[i]?.[0], ...options }));
}

function expanded(
  { passage, file, score, explanation }: Hit,
  { window, includeBreadcrumb, withContext, positions }: ExpandOptions & { window: Window | undefined },
): FoundPassage {
  const { text, passages } = window ?? { text: passage.content, passages: [passage] };
  const crumbs = includeBreadcrumb ? breadcrumbText(passage.breadcrumb) : '';
  return {
    content: crumbs === '' ? text : `${crumbs}\n\n${text}`,
    score,
    meta: {
      type: 'chunk',
      subtype: passage.subtype,
      position: passage.position,
      ...(passage.pageNumber !== undefined && { pageNumber: passage.pageNumber }),
      ...sourceOf(file),
      ...(positions && positionOf(passage)),
      ...(explanation && { explanation }),
    },
    file,
    ...(withContext && { context: contextOf(passage, { passages, crumbs }) }),
  };
}

/** `Title > Subtitle`. */
export function breadcrumbText(breadcrumb: Breadcrumb): string {
  return breadcrumb.join(' > ');
}

export function positionOf({ start, end, startLine, endLine, breadcrumb }: Passage): MatchPosition {
  return { start, end, startLine, endLine, breadcrumb };
}

/** The contract's `sourceUrl`, where the file's metadata has one. */
export function sourceOf({ metadata: { sourceUrl } }: FileSummary): { sourceUrl?: string } {
  return typeof sourceUrl === 'string' ? { sourceUrl } : {};
}

function contextOf(
  match: Passage,
  { passages, crumbs }: { passages: readonly Passage[]; crumbs: string },
): ContextItem[] {
  const items = passages.map(({ id, content, position }): ContextItem => {
    const offset = position - match.position;
    return { id, text: content, offset, type: offset < 0 ? 'preceding' : offset > 0 ? 'subsequent' : 'current' };
  });
  return crumbs === '' ? items : [{ text: crumbs, type: 'breadcrumb' }, ...items];
}
