import type { Range, Source } from './source.js';
import type { Mark } from './unseen.js';

/** Fragments shorter than this say nothing: `/>`, `}}`. */
const SHORTEST = 3;

/**
 * The kinds of marks that a reader of the page does not see but that are in the text that is embedded for a range. Each
 * line of an unseen range is looked for; it is a fault if it occurs more often than in what the reader does see, which
 * leaves out what comes from code. Blanks are ignored, because both texts are wrapped differently.
 */
export function marksIn(source: Source, range: Range, { embedded }: { readonly embedded: string }): Mark[] {
  const unseen = source.unseenIn(range);
  if (unseen.length === 0) return [];
  const text = squeezed(embedded);
  const seen = squeezed(without(source.text, range, unseen));
  const found = new Set<Mark>();
  for (const { mark, start, end } of unseen) {
    const fragments = source.text
      .slice(start, end)
      .split('\n')
      .map((line) => squeezed(line.replace(/^[\s>]+(?=\S)/, '')));
    const shows = (one: string) => one.length >= SHORTEST && count(text, one) > count(seen, one);
    if (fragments.some(shows)) found.add(mark);
  }
  return [...found];
}

/** The text that is embedded without the breadcrumb that is its first line. */
export function withoutBreadcrumb(text: string, breadcrumb: readonly string[]): string {
  const [first = '', ...rest] = text.split('\n');
  return first !== '' && breadcrumb.join(' > ').endsWith(first) ? rest.join('\n') : text;
}

function without(text: string, range: Range, unseen: readonly Range[]): string {
  let rest = '';
  let at = range.start;
  for (const { start, end } of unseen) {
    rest += `${text.slice(at, start)}\0`;
    at = end;
  }
  return rest + text.slice(at, range.end);
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, '');
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
