import type { SearchedPassage } from './file-search.js';
import type { KnowledgeResult } from './knowledge.js';

/** A result, and what tells it from others and ranks it. */
export interface Found {
  /** The same for a passage that is found twice. */
  readonly passage: string;
  readonly position: number;
  readonly result: KnowledgeResult;
}

/** A passage that was asked for with its breadcrumb, which tells the file's title and is taken off the content again. */
export function foundResult({ content, score, meta, file, context = [] }: SearchedPassage): Found {
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
 * What several searches for one query found, as one list: best first, equal ones by key, then position, each passage
 * once. A score does not depend on what was filtered, so those of different searches can be compared.
 */
export function bestResults(found: readonly Found[], limit: number): KnowledgeResult[] {
  const once = new Map(found.map((one) => [one.passage, one]));
  const ranked = [...once.values()].sort(byRank).slice(0, limit);
  return ranked.map(({ result }) => result);
}

function byRank(a: Found, b: Found): number {
  if (a.result.score !== b.result.score) return b.result.score - a.result.score;
  if (a.result.key !== b.result.key) return a.result.key < b.result.key ? -1 : 1;
  return a.position - b.position;
}

/** The title that front matter or a caller gave the file, in one line. */
function titleOf({ title }: SearchedPassage['file']['metadata']): string {
  const given = ['string', 'number', 'boolean'].includes(typeof title) ? String(title) : '';
  return given.replace(/\s+/g, ' ').trim();
}
