import { expect, test } from 'vitest';
import parseMarkdown from '#src/formats/markdown/parse-markdown.js';
import { embedded, options, outline } from './counting.js';

/** What a file says about itself. */
function said(text: string) {
  const { title, metadata, warnings } = parseMarkdown(text, options());
  return { title, metadata, warnings };
}

test('TOML front matter may have blank lines above it', () => {
  for (const end of ['\n', '\r\n']) {
    const text = ['', ' ', '+++', 'title = "A guide"', '[extra]', 'a = 1', '+++', '# B', '', 'One two.'].join(end);
    expect(said(text)).toEqual({
      title: 'A guide',
      metadata: { title: 'A guide', extra: { a: 1 } },
      warnings: [],
    });
    expect(outline(text)).toEqual(['A guide > B: One two.']);
    expect(parseMarkdown(text, options()).passages.map(({ startLine }) => startLine)).toEqual([10]);
  }
});

test.each(['\n+++\nOne two.\n+++\n\nThree.', '\n+++\na = 1\n\nTwo three.', '\n---\na: 1\n---\n\nTwo three.'])(
  'other lines between marks below a blank line are text: %j',
  (text) => {
    expect(said(text)).toEqual({ title: undefined, metadata: {}, warnings: [] });
    expect(embedded(text).join()).toContain(/\w.*/.exec(text)?.[0]);
  },
);
