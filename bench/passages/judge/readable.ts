import type { Range, Source } from './source.js';

/** Attributes whose values a component shows. */
const SHOWN = /\b(?:title|label|summary|alt|caption|heading)=(?:"([^"]*)"|'([^']*)'|\{['"`]([^'"`]*)['"`]\})/g;

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** An address, which a reader sees, but which says nothing. */
const ADDRESS = /<?\b(?:[a-z][a-z\d+.-]*:\/\/|mailto:|www\.)[^\s<>)\]]*>?/gi;

/** What is removed from text outside of code, in this order. */
const MARKUP: readonly (readonly [RegExp, string])[] = [
  // Definitions of links; of a footnote, the label only.
  [/^[ \t>]*\[[^\]^\n][^\]\n]*\]:[ \t]*\S.*$/gm, ''],
  [/^([ \t>]*)\[\^[^\]\n]+\]:/gm, '$1'],
  [/\[\^[^\]\s]+\]/g, ''],
  // Targets of links and images, with a title or without.
  [/\]\((?:[^()\n]|\([^()\n]*\))*\)/g, '] '],
  [/\]\[[^\]\n]*\]/g, '] '],
  // Anchors and attributes in braces, character references.
  [/\{[#.:][^}\n]*\}/g, ' '],
  [/&(?:[a-z][a-z\d]*|#\d+|#x[\da-f]+);/gi, ' '],
];

/** What a reader sees of a range of a source, by rules of the judge's own. Lines stay lines. */
export function readableIn(source: Source, range: Range): string {
  const parts: string[] = [];
  let prose: string[] = [];
  const flush = () => {
    parts.push(withoutMarkup(prose.join('\n')));
    prose = [];
  };
  for (const { kind, start, end, inner } of source.linesIn(range)) {
    const from = Math.max(range.start, kind === 'text' ? start : inner);
    const to = Math.min(range.end, end);
    if (kind === 'text') prose.push(seen(source, { start: from, end: to }));
    else flush();
    if (kind === 'code' || kind === 'indented') parts.push(source.text.slice(from, Math.max(from, to)));
  }
  flush();
  return parts.filter((part) => part.trim() !== '').join('\n');
}

/** Letters and digits in a row that count as a word: the bytes of a key or of a program are content, too. */
const LONGEST_WORD = 30;

/** Words, and numbers, that a reader sees in a range outside of addresses. */
export function wordsIn(source: Source, range: Range): number {
  const words = readableIn(source, range).replace(ADDRESS, ' ').match(WORD) ?? [];
  return words.reduce((sum, { length }) => sum + Math.ceil(length / LONGEST_WORD), 0);
}

/** A line without what a reader does not see, but with what components show of their attributes. */
function seen(source: Source, range: Range): string {
  let text = '';
  let at = range.start;
  for (const { mark, start, end } of source.unseenIn(range)) {
    text += source.text.slice(at, start);
    at = end;
    const shown = mark === 'comment' ? [] : source.text.slice(start, end).matchAll(SHOWN);
    text += ` ${Array.from(shown, ([, double, single, braced]) => double ?? single ?? braced).join(' ')} `;
  }
  return text + source.text.slice(at, range.end);
}

function withoutMarkup(text: string): string {
  return MARKUP.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text);
}
