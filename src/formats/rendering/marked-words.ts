import type { Element, ElementContent, Root } from 'hast';
import { stemmer } from 'stemmer';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Puts `b` elements around the words of a tree that have the stem of a term. */
export function markWords(root: Root | Element, terms: readonly string[]): void {
  const stems = new Set(terms.map(stemOf));
  const unspaced = terms.filter((term) => UNSPACED.test(term));
  if (stems.size > 0) markIn(root);

  function markIn(parent: Root | Element): void {
    const marked = parent.children.flatMap((node): ElementContent[] => {
      if (node.type === 'element') markIn(node);
      return node.type === 'text' ? partsOf(node.value) : [node as ElementContent];
    });
    parent.children = marked;
  }

  function partsOf(text: string): ElementContent[] {
    const parts: ElementContent[] = [];
    let at = 0;
    for (const { start, end } of matchesIn(text)) {
      if (start > at) parts.push({ type: 'text', value: text.slice(at, start) });
      const word: ElementContent = { type: 'text', value: text.slice(start, end) };
      parts.push({ type: 'element', tagName: 'b', properties: {}, children: [word] });
      at = end;
    }
    if (at < text.length) parts.push({ type: 'text', value: text.slice(at) });
    return parts;
  }

  function* matchesIn(text: string): Generator<{ start: number; end: number }> {
    for (const { 0: word, index } of text.matchAll(WORD)) {
      if (stems.has(stemOf(word))) yield { start: index, end: index + word.length };
      else if (UNSPACED.test(word)) yield* termsInside(word, index);
    }
  }

  function* termsInside(run: string, offset: number): Generator<{ start: number; end: number }> {
    for (let at = 0; at < run.length; ) {
      const term = unspaced.find((each) => run.startsWith(each, at));
      if (term !== undefined) yield { start: offset + at, end: offset + at + term.length };
      at += term?.length ?? 1;
    }
  }
}

/** Case and accents make no difference. */
function stemOf(word: string): string {
  return stemmer(word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase());
}
