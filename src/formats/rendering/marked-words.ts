import type { Element, ElementContent, Root } from 'hast';
import { stemmer } from 'stemmer';
import { fold, foldedWithPlaces } from '../../text/fold.js';
import { LEXEME, termsOf } from '../../text/terms.js';
import { UNSPACED } from '../../text/unspaced.js';
import type { Range } from '../range.js';

/** A part of a name. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

const UNSPACED_LETTER = new RegExp(`[${UNSPACED}]`, 'u');

/** Puts `b` elements around the words of a tree that have the stem of a term. */
export function markWords(root: Root | Element, terms: readonly string[]): void {
  const stems = new Set(terms.map(stemOf));
  const unspaced = terms.filter((term) => UNSPACED_LETTER.test(term));
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
    const { folded, starts, ends } = foldedWithPlaces(text);
    let at = 0;
    for (const match of matchesIn(folded)) {
      // Two matches may be in one character, such as a ligature.
      const start = Math.max(at, starts[match.start] ?? 0);
      const end = ends[match.end - 1] ?? text.length;
      if (start >= end) continue;
      if (start > at) parts.push({ type: 'text', value: text.slice(at, start) });
      const word: ElementContent = { type: 'text', value: text.slice(start, end) };
      parts.push({ type: 'element', tagName: 'b', properties: {}, children: [word] });
      at = end;
    }
    if (at < text.length) parts.push({ type: 'text', value: text.slice(at) });
    return parts;
  }

  function* matchesIn(folded: string): Generator<Range> {
    for (const { 0: lexeme, index } of folded.matchAll(LEXEME)) {
      if (UNSPACED_LETTER.test(lexeme)) yield* termsInside(lexeme, index);
      else if (stems.has(stemOf(termsOf(lexeme)[0] ?? ''))) yield { start: index, end: index + lexeme.length };
      else yield* partsInside(lexeme, index);
    }
  }

  function* partsInside(name: string, offset: number): Generator<Range> {
    for (const { 0: word, index } of name.matchAll(WORD)) {
      if (stems.has(stemOf(word))) yield { start: offset + index, end: offset + index + word.length };
    }
  }

  function* termsInside(run: string, offset: number): Generator<Range> {
    for (let at = 0; at < run.length; ) {
      const term = unspaced.find((each) => run.startsWith(each, at));
      if (term !== undefined) yield { start: offset + at, end: offset + at + term.length };
      at += term?.length ?? 1;
    }
  }
}

function stemOf(word: string): string {
  return stemmer(fold(word).toLowerCase());
}
