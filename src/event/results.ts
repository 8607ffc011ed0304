import type { SearchedPassage } from './file-search.js';
import type { KnowledgeResult } from './knowledge.js';

/** A result with what identifies and orders it. */
export interface RankedResult {
  /** Identifies the passage: equal for results of the same passage. */
  readonly passage: string;
  readonly position: number;
  readonly result: KnowledgeResult & { readonly score: number; readonly key: string };
}

/** Converts a passage requested with its breadcrumb, which names the file and is then removed from the content. */
export function toRankedResult({ content, score, meta, file, context = [] }: SearchedPassage): RankedResult {
  const breadcrumb = context.find(({ type }) => type === 'breadcrumb')?.text ?? '';
  const prefix = `${breadcrumb}\n\n`;
  return {
    passage: JSON.stringify([file.id, meta.position ?? content]),
    position: meta.position ?? 0,
    result: {
      dsFriendlyName: titleOf(file.metadata) || breadcrumb.split(' > ', 1).join() || file.key,
      content: breadcrumb !== '' && content.startsWith(prefix) ? content.slice(prefix.length) : content,
      score,
      key: file.key,
    },
  };
}

/**
 * Merges the results of several searches for one query: best first, then by key and position, without duplicates.
 * Scores of different searches are comparable because a score does not depend on the filter.
 */
export function mergeResults(results: readonly RankedResult[], limit: number): KnowledgeResult[] {
  const unique = new Map(results.map((each) => [each.passage, each]));
  const ranked = [...unique.values()].sort(byRank).slice(0, limit);
  return ranked.map(({ result }) => result);
}

function byRank(a: RankedResult, b: RankedResult): number {
  if (a.result.score !== b.result.score) return b.result.score - a.result.score;
  if (a.result.key !== b.result.key) return a.result.key < b.result.key ? -1 : 1;
  return a.position - b.position;
}

/** The title from front matter or caller, on one line; empty if there is none. */
function titleOf({ title }: SearchedPassage['file']['metadata']): string {
  const text = ['string', 'number', 'boolean'].includes(typeof title) ? String(title) : '';
  return text.replace(/\s+/g, ' ').trim();
}
