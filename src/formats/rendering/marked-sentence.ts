import type { Code, Emphasis as EmphasisNode, InlineCode, Parents, PhrasingContent, Text } from 'mdast';
import { endOf, isParent, startOf } from '../cutting/nodes.js';
import { fencedCode } from '../markdown/fenced-code.js';
import { showText } from '../markdown/visible/visible-characters.js';
import { VisibleTextBuilder } from '../visible-text.js';
import type { Emphasis } from './render.js';

type Range = NonNullable<Emphasis['sentence']>;

/** Puts `mark` elements around what a tree has of a sentence. Offsets are those of `source`, which the tree is from. */
export function markSentence(root: Parents, sentence: Range, source: string): void {
  for (const node of root.children) {
    if (endOf(node) <= sentence.start || startOf(node) >= sentence.end) continue;
    if (node.type === 'code') markInCode(node, sentence, source);
    else if (isParent(node)) markSentence(node, sentence, source);
  }
  const marked = root.children.flatMap((node) => {
    if (endOf(node) <= sentence.start || startOf(node) >= sentence.end) return [node];
    if (node.type === 'text') return splitText(node, sentence, source);
    return node.type === 'inlineCode' ? [markOf(node)] : [node];
  });
  root.children.splice(0, root.children.length, ...(marked as never[]));
}

/** A text node, split so that the part that belongs to the sentence is marked. */
function splitText(node: Text, { start, end }: Range, source: string): PhrasingContent[] {
  const seen = new VisibleTextBuilder(source);
  showText({ source, seen }, { start: startOf(node), end: endOf(node) });
  // Where the text contains markup, its characters are not those of the source: then all of it is marked.
  const isAligned = seen.text.length === node.value.length;
  const isInside = (at: number) => (seen.starts[at] ?? -1) >= start && (seen.ends[at] ?? end) <= end;
  let from = 0;
  let to = node.value.length;
  if (isAligned) {
    while (from < to && !isInside(from)) from++;
    while (to > from && !isInside(to - 1)) to--;
  }
  if (from === to) return [node];
  const text = (value: string): Text[] => (value === '' ? [] : [{ type: 'text', value }]);
  const [inside] = text(node.value.slice(from, to));
  return [...text(node.value.slice(0, from)), ...(inside ? [markOf(inside)] : []), ...text(node.value.slice(to))];
}

function markOf(node: Text | InlineCode): EmphasisNode {
  return { type: 'emphasis', data: { hName: 'mark' }, children: [node] };
}

/** A sentence of code is a line or a comment, which the code contains unchanged; other lines may contain it, too. */
function markInCode(node: Code, { start, end }: Range, source: string): void {
  const sentence = source.slice(start, end);
  const codeStart = fencedCode(node, source)?.start ?? startOf(node);
  let at = -1;
  for (let from = source.indexOf(sentence, codeStart); from >= 0 && from <= start; ) {
    at = node.value.indexOf(sentence, at + 1);
    if (at < 0) break;
    from = source.indexOf(sentence, from + 1);
  }
  if (at < 0) return;
  const text = (value: string) => ({ type: 'text' as const, value });
  node.data = {
    ...node.data,
    hChildren: [
      text(node.value.slice(0, at)),
      { type: 'element', tagName: 'mark', properties: {}, children: [text(sentence)] },
      text(`${node.value.slice(at + sentence.length)}\n`),
    ],
  };
}
