import type { ContextItem, FoundPassage, MatchPosition } from '../contract/operations/search.js';
import type { Breadcrumb, FileSummary, Passage } from '../domain/passage.js';
import { textOf } from './merge-windows.js';
import type { HitInContext } from './search.js';

/** What an expanded hit includes. */
export interface ExpandOptions {
  /** Whether `content` begins with the breadcrumb. */
  readonly includeBreadcrumb: boolean;
  /** Whether passages carry `context`. */
  readonly withContext: boolean;
  /** Whether `meta` has the position of the match. */
  readonly positions: boolean;
}

/** A hit as searchFiles returns it: its content includes the neighbours, as one slice of the file. */
export function expand(
  { passage, file, score, explanation, window }: HitInContext,
  { includeBreadcrumb, withContext, positions }: ExpandOptions,
): FoundPassage {
  const text = textOf(window);
  const breadcrumb = includeBreadcrumb ? breadcrumbText(passage.breadcrumb) : '';
  return {
    content: breadcrumb === '' ? text : `${breadcrumb}\n\n${text}`,
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
    ...(withContext && { context: contextOf(passage, { passages: window.passages, breadcrumb }) }),
  };
}

/** A breadcrumb on one line: `Title > Subtitle`. */
function breadcrumbText(breadcrumb: Breadcrumb): string {
  return breadcrumb.join(' > ');
}

/** Where a passage is in its file. */
export function positionOf({ start, end, startLine, endLine, breadcrumb, display }: Passage): MatchPosition {
  return { start, end, startLine, endLine, breadcrumb, display };
}

/** The contract's `sourceUrl`, from the file's metadata. */
export function sourceOf({ metadata: { sourceUrl } }: FileSummary): { sourceUrl?: string } {
  return typeof sourceUrl === 'string' ? { sourceUrl } : {};
}

function contextOf(
  match: Passage,
  { passages, breadcrumb }: { passages: readonly Passage[]; breadcrumb: string },
): ContextItem[] {
  const items = passages.map(({ id, content, position }): ContextItem => {
    const offset = position - match.position;
    return { id, text: content, offset, type: offset < 0 ? 'preceding' : offset > 0 ? 'subsequent' : 'current' };
  });
  return breadcrumb === '' ? items : [{ text: breadcrumb, type: 'breadcrumb' }, ...items];
}
