import type { Result } from '../../output/results/result.js';

/**
 * A match without the neighbours that were found with it in `context`. A heading without a text of its own keeps the
 * passage after it.
 */
export function matchOf(result: Result): Result {
  const { content, context = [], meta } = result;
  const match = context.find(({ type }) => type === 'current')?.text ?? content;
  if (!isHeading(result)) return { ...result, content: match };
  const before = context.find(({ type }) => type === 'preceding')?.text.length ?? 0;
  const withNext = content.slice(content.indexOf(match, before));
  const endLine = (meta.startLine ?? 1) + (withNext.match(/\r\n|\n|\r/g)?.length ?? 0);
  return { ...result, content: withNext, meta: { ...meta, endLine } };
}

/** Whether a passage is a heading only. */
export function isHeading({ meta: { subtype } }: Result): boolean {
  return subtype === 'title' || subtype === 'subtitle';
}
