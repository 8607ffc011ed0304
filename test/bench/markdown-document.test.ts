import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idOf, keyOf, markdownOf } from '../../bench/support/collections/markdown-document.js';
import { embedded } from '../formats/markdown/counting.js';

/** The text that Waymark embeds for a document in one passage. */
function read(document: { title: string; text: string }): string {
  return embedded(markdownOf({ id: 'd', ...document }), { budget: 60, maxTokens: 1e7 }).join('\n');
}

describe('a document as markdown', () => {
  it('has its title as a heading', () => {
    expect(markdownOf({ id: 'd', title: 'A  title', text: 'A text.' })).toBe('# A title\n\nA text.\n');
    expect(markdownOf({ id: 'd', title: '', text: 'A text.' })).toBe('A text.\n');
  });

  it('is escaped only where it would be markup', () => {
    const plain = 'p < 0.05 [1], 2 * 3, snake_case, A&B, (CI) [95%], 5 > 4 #2 | 3 - 4. 10 \\alpha';
    expect(markdownOf({ id: 'd', title: '', text: plain })).toBe(`${plain}\n`);
    const marked = '*a* _b_ `c` <i> &lt; [d](e) ~f~ \\*';
    expect(markdownOf({ id: 'd', title: '', text: marked })).toBe(
      '\\*a\\* \\_b\\_ \\`c\\` \\<i> \\&lt; [d\\](e) \\~f\\~ \\\\\\*\n',
    );
  });

  it.each([
    '# no heading',
    '- no item',
    '1. no item',
    '12) no item',
    '> no quote',
    '---\nno: front matter\n---',
    '+++\nno = front matter\n+++',
    'no heading\n===',
    'a | b\n--- | ---\nno | table',
    '    no code',
    '```\nno code\n```',
    '[no]: definition',
    '* * *',
    '<!-- no comment -->',
    'no break\\\nhere',
  ])('is read literally: %j', (text) => {
    expect(read({ title: '', text })).toBe(text.trim());
    expect(read({ title: 'Title', text })).toBe(`Title\n${text.trim()}`);
  });

  it('is read literally, whatever it contains', () => {
    const marks = fc.constantFrom(...'\\`*_[]<>&;~#|+-=.:!()^$"\'1a', ' ', ' ', '\n', 'word', 'amp', '](', '<b');
    const text = fc.array(marks, { maxLength: 30 }).map((parts) => parts.join(''));
    const expected = (source: string) =>
      source
        .split('\n')
        // Waymark embeds one blank for several.
        .map((line) => line.trim().replace(/ {2,}/g, ' '))
        .filter((line) => line !== '')
        .join('\n');
    fc.assert(
      fc.property(text, (source) => {
        // Waymark also parses flavours, which are not standard markdown.
        fc.pre(!/\[!|:::|\{#|\[\[|:[a-z]|!!|===|<<<|\$[^$]*\$/.test(source));
        fc.pre(!/^\s*(?:::?(?:[ \t]|$)|!>)|\+[-=:]+\+|\)=|\]\[/m.test(source));
        expect(read({ title: 'Title', text: `Begin\n${source}` })).toBe(
          `Title\nBegin${source.trim() && '\n'}${expected(source)}`,
        );
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the key of a document', () => {
  it('is a visible file in a single folder, and leads back to the document', () => {
    for (const id of ['4983', 'doc/../1', '.hidden', 'a.md', 'größe 1%']) {
      expect(keyOf({ id })).toMatch(/^[^./][^/]*\.md$/);
      expect(idOf(keyOf({ id }))).toBe(id);
    }
  });
});
