import fc from 'fast-check';
import { parseFragment } from 'parse5';
import { expect, test } from 'vitest';
import { shownHtml, shownText } from 'waymark';
import { documents, noise } from '../formats/markdown/documents.js';

test.each([
  ['headings from the third level on', '# One\n\n#### Two', '<h3>One</h3>\n<h6>Two</h6>'],
  [
    'emphasis and code',
    'A *b* **c** ~~d~~ `<e>`.',
    '<p>A <em>b</em> <strong>c</strong> <del>d</del> <code>&#x3C;e></code>.</p>',
  ],
  ['code that scrolls with the keyboard', '```js\na < b\n```', '<pre tabindex="0"><code>a &#x3C; b\n</code></pre>'],
  [
    'code below its title',
    '```js [a &amp; <b>.js] {1}\nc\n```',
    '<pre tabindex="0"><strong>a &#x26; &#x3C;b>.js</strong>\n<code>c\n</code></pre>',
  ],
  [
    'a link',
    '[a](https://b.example/?c=1&d)',
    '<p><a href="https://b.example/?c=1&#x26;d" rel="noopener noreferrer">a</a></p>',
  ],
  ['a link to another file as its text', 'See [a](b.md) and [c](#d).', '<p>See a and c.</p>'],
  ['tasks', '- [x] one\n- [ ] two', '<ul>\n<li>☑ one</li>\n<li>☐ two</li>\n</ul>'],
  ['a list that goes on', '3. one\n4. two', '<ol start="3">\n<li>one</li>\n<li>two</li>\n</ol>'],
  [
    'footnotes where they stand',
    'One.[^a]\n\n[^a]: Two.',
    '<p>One.<sup>a</sup></p>\n<blockquote><sup>a</sup><p>Two.</p></blockquote>',
  ],
  [
    'text between two thematic breaks',
    '---\n\nOne {{< two >}}three.\n\n---\n\nFour.',
    '<hr>\n<p>One three.</p>\n<hr>\n<p>Four.</p>',
  ],
  [
    'items of a list that begins elsewhere',
    '    * **one**\n      two\n  * three\n    - four',
    '<ul>\n<li><strong>one</strong>\ntwo</li>\n<li>three<ul>\n<li>four</li>\n</ul></li>\n</ul>',
  ],
  [
    'code in a list that begins elsewhere',
    '     ```js\n     a\n     ```\n     B **c**.',
    '<pre tabindex="0"><code>a\n</code></pre>\n<p>B <strong>c</strong>.</p>',
  ],
  ['what nobody would see', '<!-- a -->', '<pre>&#x3C;!-- a --></pre>'],
])('%s', async (_, text, html) => {
  expect(await shownHtml(text)).toBe(html);
});

test('a table scrolls with the keyboard', async () => {
  const html = await shownHtml('| a | b |\n|---|--:|\n| 1 | 2 |');
  expect(html).toMatch(/^<div tabindex="0"><table>.*<td align="right">2<\/td>.*<\/table><\/div>$/s);
});

test.each([
  [
    'in running text',
    'One is here. Two **is** there. Three.',
    'Two **is** there.',
    '<p>One is here. <mark>Two </mark><strong><mark>is</mark></strong><mark> there.</mark> Three.</p>',
  ],
  [
    'over lines of a quote',
    '> One two\n> three. Four.',
    'One two\n> three.',
    '<p><mark>One two\nthree.</mark> Four.</p>',
  ],
  [
    'with references of characters',
    'One &amp; two. Three.',
    'One &amp; two.',
    '<p><mark>One &#x26; two.</mark> Three.</p>',
  ],
  [
    'with code',
    'Run `a b` now. Then.',
    'Run `a b` now.',
    '<p><mark>Run </mark><mark><code>a b</code></mark><mark> now.</mark> Then.</p>',
  ],
  ['in code', '```\na\nb c d\n```', 'b c d', '<code>a\n<mark>b c d</mark>\n</code>'],
  [
    'in the title of code',
    '```js [a.js]\n// a.js\n```',
    'a.js',
    '<strong><mark>a.js</mark></strong>\n<code>// a.js\n</code>',
  ],
])('the highlight is marked %s', async (_, text, sentence, html) => {
  const start = text.indexOf(sentence);
  expect(await shownHtml(text, { highlight: { start, end: start + sentence.length } })).toContain(html);
});

test('in code, the highlighted line is marked, not an earlier line with the same words', async () => {
  const text = '> ```b c\n> b cd\n> b c\n> b c\n> ```';
  const start = text.lastIndexOf('b c');
  expect(await shownHtml(text, { highlight: { start, end: start + 'b c'.length } })).toContain(
    '<code>b cd\nb c\n<mark>b c</mark>\n</code>',
  );
});

test('words of the query are bold in all their forms, also in code', async () => {
  const html = await shownHtml('Rotating keys: `rotate_keys` for a Café, never for the monkey.', {
    query: 'How do I rotate the key in a cafe?',
  });
  expect(html).toBe(
    '<p><b>Rotating</b> <b>keys</b>: <code><b>rotate</b>_<b>keys</b></code> for a <b>Café</b>, never for the monkey.</p>',
  );
});

test('words of the query are bold within a line of a script without spaces', async () => {
  expect(await shownHtml('毎日お茶を飲みます。', { query: 'お茶' })).toBe('<p>毎日<b>お茶</b>を飲みます。</p>');
});

test.each([
  ['with vowel points of Arabic', 'محمد', 'قال مُحَمَّد هنا', 'قال <b>مُحَمَّد</b> هنا'],
  ['with tatweel', 'كتاب', 'هذا كـــتاب جديد', 'هذا <b>كـــتاب</b> جديد'],
  ['with vowel points of Hebrew', 'שלום', 'אמר שָׁלוֹם לך', 'אמר <b>שָׁלוֹם</b> לך'],
  ['with the same vowel signs only', 'हिन्दी', 'हिन्दी और हान्दा', '<b>हिन्दी</b> और हान्दा'],
  ['with joiners', 'ಸಾಫ್ಟ್ವೇರ್', 'ಹೊಸ ಸಾಫ್ಟ್\u200cವೇರ್', 'ಹೊಸ <b>ಸಾಫ್ಟ್\u200cವೇರ್</b>'],
  ['with the same voicing marks only', 'ハ', 'ハ と バ', '<b>ハ</b> と バ'],
  ['in halfwidth form', 'ガギグ', 'あｶﾞｷﾞｸﾞ', 'あ<b>ｶﾞｷﾞｸﾞ</b>'],
  [
    'in decomposed form',
    '서버',
    '서버를'.normalize('NFD'),
    `<b>${'서버'.normalize('NFD')}</b>${'를'.normalize('NFD')}`,
  ],
  ['next to a script without spaces', 'github 2', 'GitHubの設定、第２章', '<b>GitHub</b>の設定、第<b>２</b>章'],
  ['with soft hyphens', 'cooperation', 'A co\u00adoperation.', 'A <b>co\u00adoperation</b>.'],
  ['with zero-width spaces', 'node.js', 'Use node\u200b.js.', 'Use <b>node\u200b.js</b>.'],
  ['beside zero-width spaces of Thai', 'แม่', 'แม่\u200bน้ำ', '<b>แม่</b>\u200bน้ำ'],
  ['with a joiner that prevents a ligature', 'Auflage', 'Die Auf\u200clage.', 'Die <b>Auf\u200clage</b>.'],
  ['with an apostrophe', "don't", "We don't.", "We <b>don't</b>."],
  ['with a ligature', 'file', 'The ﬁle.', 'The <b>ﬁle</b>.'],
  [
    'with letters that are no other letter with a mark',
    'coeur Strasse',
    'Le CŒUR der Straße.',
    'Le <b>CŒUR</b> der <b>Straße</b>.',
  ],
  ['that are names with punctuation', 'C++ v1.2', 'A C++ of v1.2.', 'A <b>C++</b> of <b>v1.2</b>.'],
])('words of the query are bold: %s', async (_, query, text, html) => {
  expect(await shownHtml(text, { query })).toBe(`<p>${html}</p>`);
});

test('text without markup is shown line by line, with its highlight and the words of the query', async () => {
  const html = await shownHtml('<b>One</b>\ntwo three', {
    contentType: 'text/plain',
    highlight: { start: 11, end: 20 },
    query: 'three',
  });
  expect(html).toBe('<pre>&#x3C;b>One&#x3C;/b>\n<mark>two <b>three</b></mark></pre>');
});

test('only the code of a notebook is code: lines of text wrap, and so do not scroll', async () => {
  const contentType = 'application/x-ipynb+json';
  expect(await shownHtml('a < b', { contentType, subtype: 'code' })).toBe(
    '<pre tabindex="0"><code>a &#x3C; b</code></pre>',
  );
  expect(await shownHtml('A *b*.', { contentType, subtype: 'paragraph' })).toBe('<pre>A *b*.</pre>');
  expect(await shownHtml('A:\n\n```\nb\n```', { contentType, subtype: 'code' })).toBe('<pre>A:\n\n```\nb\n```</pre>');
  expect(await shownHtml('a < b', { contentType: 'text/html', subtype: 'code' })).toBe('<pre>a &#x3C; b</pre>');
});

test('a fence in a string of a cell of code is a part of the code', async () => {
  const contentType = 'application/x-ipynb+json';
  const code = 'def f():\n    """\n    ```\n    f()\n    ```\n    """';
  expect(await shownHtml(code, { contentType, subtype: 'code' })).toBe(`<pre tabindex="0"><code>${code}</code></pre>`);
});

test('a cell of markdown that names the quotation marks of long strings is not code', async () => {
  const contentType = 'application/x-ipynb+json';
  const text = `Write """a""":\n\n\`\`\`\nb\n\`\`\``;
  expect(await shownHtml(text, { contentType, subtype: 'code' })).toBe(`<pre>${text}</pre>`);
});

test('what follows long code of markdown is not code', async () => {
  const code = `\`\`\`\n${`${'a'.repeat(99)}\n`.repeat(50)}\`\`\`\n\nNot code.`;
  expect(await shownHtml(code, { contentType: 'text/markdown', subtype: 'code' })).toMatch(
    /<\/code><\/pre>\n<pre>[^<]*\nNot code\.<\/pre>$/,
  );
});

test('code that goes on after the part that is read goes on as code', async () => {
  const [beginning, rest] = ['a = 1\n'.repeat(650), 'b = 2\n'.repeat(100)];
  const contentType = 'application/x-ipynb+json';
  expect(await shownHtml(beginning + rest, { contentType, subtype: 'code' })).toMatch(
    /^<pre tabindex="0"><code>[^<]*<\/code><\/pre>\n<pre tabindex="0"><code>[^<]*b = 2\n<\/code><\/pre>$/,
  );
  expect(await shownHtml(beginning + rest, { contentType, subtype: 'paragraph' })).not.toContain('<code>');
});

test('the end of a long text is shown as it stands', async () => {
  const html = await shownHtml(`${'One two. '.repeat(450)}\n\n# Three`);
  expect(html).toMatch(/<\/p>\n<pre>[^<]*# Three<\/pre>$/);
});

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](&#106;avascript:alert(1))',
  '[a](data:text/html;base64,PHNjcmlwdD4=)',
  '<javascript:alert(1)>',
  '![a](https://evil.example/pixel.png)',
  '[a]: javascript:alert(1)\n\n[a]',
  '<a href="https://x.example" onclick="alert(1)" id="query" name="query">a</a>',
  '<style>*{display:none}</style>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<form action="https://evil.example"><input name="query"></form>',
  '```"><script>alert(1)</script>\na\n```',
  '<scr<b>ipt>alert(1)</scr</b>ipt>',
  '[a](https://x.example "\\" onmouseover=alert(1)")',
  '</mark></section><script>alert(1)</script>',
];

const ELEMENTS =
  /^(h[3-6]|p|blockquote|pre|ul|ol|li|hr|br|div|table|thead|tbody|tr|th|td|em|strong|del|code|sup|a|mark|b)$/;

interface Parsed {
  readonly nodeName: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Parsed[];
}

/** What a browser would make of HTML that is not a plain text with links. */
function dangersIn(node: Parsed): string[] {
  const isKnown = node.nodeName.startsWith('#') || ELEMENTS.test(node.nodeName);
  const wrong = (node.attrs ?? []).filter(({ name, value }) =>
    name === 'href' ? !/^(https?|mailto):/i.test(value) : !/^(rel|start|align|tabindex)$/.test(name),
  );
  const own = [...(isKnown ? [] : [node.nodeName]), ...wrong.map(({ name, value }) => `${name}=${value}`)];
  return [...own, ...(node.childNodes ?? []).flatMap(dangersIn)];
}

test.each(HOSTILE)('nothing in a hostile text runs, loads or can be mistaken for the page: %s', async (text) => {
  for (const contentType of ['text/markdown', 'text/mdx', 'text/html', 'text/plain']) {
    for (const given of [text, await shownText(text, { contentType })]) {
      const html = await shownHtml(given, { contentType, query: 'alert', highlight: { start: 0, end: given.length } });
      expect(dangersIn(parseFragment(html) as unknown as Parsed)).toEqual([]);
    }
  }
});

test('nothing in generated text runs, loads or can be mistaken for the page', async () => {
  const text = fc.oneof(
    documents,
    noise,
    fc.array(fc.constantFrom(...HOSTILE, '\n', '> ', '- ', '`', '| ')).map((parts) => parts.join('')),
  );
  await fc.assert(
    fc.asyncProperty(text, fc.nat(200), fc.nat(200), async (given, start, length) => {
      const html = await shownHtml(given, { query: 'the key', highlight: { start, end: start + length } });
      expect(dangersIn(parseFragment(html) as unknown as Parsed)).toEqual([]);
    }),
    { seed: 21, numRuns: 200 },
  );
});
