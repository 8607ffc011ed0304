import fc from 'fast-check';
import { expect, test } from 'vitest';
import parseHtml from '#src/formats/html/parse-html.js';
import { seeHtml, showHtml } from '#src/formats/html/visible-html.js';
import { options } from './markdown/counting.js';
import { cutViolations } from './markdown/invariants.js';

function parsed(html: string, budget = 192) {
  const { passages, ...rest } = parseHtml(html, options({ budget }));
  return {
    ...rest,
    passages: passages.map(({ start, end, breadcrumb, subtype, readable }) => ({
      content: html.slice(start, end),
      breadcrumb,
      subtype,
      readable,
    })),
  };
}

const readables = (html: string, budget?: number) => parsed(html, budget).passages.map(({ readable }) => readable);

test('headings are breadcrumbs, and a passage is an exact slice', () => {
  const page = `<!doctype html><html><head><title>Kettles &amp; lids</title></head><body>
<h1>The <em>kettle</em></h1><p>Boil &amp; pour
the <b>water</b> now.</p>
<h2 id="lid">Lid&nbsp;care</h2><div><p>Close it after use.</p></div>
</body></html>`;
  expect(parsed(page)).toEqual({
    title: 'The kettle',
    tags: {},
    metadata: {},
    warnings: [],
    passages: [
      {
        content: '<p>Boil &amp; pour\nthe <b>water</b> now.</p>',
        breadcrumb: ['The kettle'],
        subtype: 'paragraph',
        readable: 'Boil & pour the water now.',
      },
      {
        content: '<p>Close it after use.</p>',
        breadcrumb: ['The kettle', 'Lid care'],
        subtype: 'paragraph',
        readable: 'Close it after use.',
      },
    ],
  });
});

test.each([
  '<h2>Lids<a class="headerlink" href="#lids" title="Permalink to this headline">¶</a></h2>',
  '<h2>Lids<a class="headerlink" href="#lids">&para;</a></h2>',
  '<h2 id="lids"><a href="#lids" class="anchor">§</a>Lids</h2>',
  '<h2>Lids<a href="#lids" class="hash-link">&#8203;</a></h2>',
  '<h2><span class="permalink"><a href="#lids">&#9670;&nbsp;</a></span>Lids</h2>',
  '<h2><a href="#lids"># </a>Lids</h2>',
])('a sign that links to its own heading is not read: %s', (heading) => {
  const { breadcrumb, readable } = parsed(`<h1>Kettle</h1>${heading}<p>Close them after use.</p>`).passages[0] ?? {};
  expect([breadcrumb, readable]).toEqual([['Kettle', 'Lids'], 'Close them after use.']);
});

test('other links within a page are read, and signs without a link', () => {
  expect(
    readables('<p>See <a href="#c">C#</a>, <a href="#plus">+</a> and <a href="#n1">1</a> in § 5, <b>#</b>.</p>'),
  ).toEqual(['See C#, + and 1 in § 5, #.']);
});

test.each([
  '<div class="topNav"><a name="navbar.top"></a><ul class="navList"><li>Prev Class</li></ul></div>',
  '<div class="navheader"><table><tr><td>Prev Class</td></tr></table></div>',
  '<div id="nav-path" class="navpath"><ul><li>Prev Class</li></ul></div>',
  '<div id="navrow1" class="tabs"><ul class="tablist"><li>Prev Class</li></ul></div>',
  '<ul id="jump_to"><li><a href="javascript:void(0);">Prev</a><div id="jump_wrapper">Class</div></li></ul>',
  '<div class="navbar navbar-default"><div>Prev</div> Class</div>',
  '<div class="clearer sphinxsidebar"><h3>Prev Class</h3></div>',
])('navigation that only a class or id names is not read: %s', (navigation) => {
  expect(readables(`${navigation}<h1>Kettle</h1><p>Boils the water.</p>${navigation}`)).toEqual(['Boils the water.']);
});

test.each(['<h1>Kettle</h1>', '<main>', '<article>'])('navigation left open ends where the page begins: %s', (page) => {
  expect(readables(`<div class="navbar"><div>Menu</div>${page}<p>Boils the water.</p>`)).toEqual(['Boils the water.']);
});

test('the body, the main element and paragraphs are read whatever their classes and ids', () => {
  expect(readables('<body class="navbar"><main id="navigation"><p>Boils the water.</p></main></body>')).toEqual([
    'Boils the water.',
  ]);
  expect(readables('<p class="navigator unavailable">Boils the water.</p>')).toEqual(['Boils the water.']);
});

test('a heading that nothing follows is a passage of its own', () => {
  expect(parsed('<h1>Kettle guide</h1><p>Boils the water.</p><h2>What comes at last</h2>').passages).toEqual([
    {
      content: '<p>Boils the water.</p>',
      breadcrumb: ['Kettle guide'],
      subtype: 'paragraph',
      readable: 'Boils the water.',
    },
    {
      content: '<h2>What comes at last</h2>',
      breadcrumb: ['Kettle guide'],
      subtype: 'subtitle',
      readable: 'What comes at last',
    },
  ]);
});

test('a heading that is only an image is named by its subject in the alternative text; "Logo" names nothing', () => {
  const page = (alt: string) => parsed(`<title>Page</title><h1><img src="a.png" alt="${alt}"></h1><p>Boil water.</p>`);
  expect(page('Kettle logo')).toMatchObject({ title: 'Kettle', passages: [{ breadcrumb: ['Kettle'] }] });
  expect(page('Logo')).toMatchObject({ title: 'Page', passages: [{ breadcrumb: ['Page'] }] });
  const html = '<h1><img src="a.png" alt="Logo"></h1><h1>Kettle</h1><p>Boil water.</p>';
  const { title, passages } = parsed(html, 100);
  expect([title, passages.map(({ content, breadcrumb }) => [content, breadcrumb])]).toEqual([
    'Kettle',
    [
      ['<h1><img src="a.png" alt="Logo"></h1>', []],
      ['<p>Boil water.</p>', ['Kettle']],
    ],
  ]);
});

test('without an h1 the title is that of the page, and the outermost breadcrumb', () => {
  const { title, passages } = parsed('<title> Kettles\n&amp; lids </title><h2>Care</h2><p>Clean it every week.</p>');
  expect([title, passages[0]?.breadcrumb]).toEqual(['Kettles & lids', ['Kettles & lids', 'Care']]);
});

test.each([
  ['scripts and styles', '<script>var a = "<p>no</p>";</script><style>p { no }</style>'],
  ['comments', '<!-- <p>no</p> -->'],
  ['navigation', '<nav><ul><li><nav>no</nav>no</li></ul></nav>'],
  ['elements with the role of navigation', '<div role="navigation"><div>no</div> no</div>'],
  ['elements that an attribute hides', '<p hidden>no<p>yes too, here</p><section aria-hidden="true">no</section>'],
  ['controls', '<button>Copy</button><select><option>no</select><textarea>no</textarea>'],
  ['drawings', '<svg><title>no</title><text>no</text></svg>'],
])('a reader sees no %s', (_, html) => {
  const [first = ''] = readables(`${html}<p>yes, this is it</p>`);
  expect(first).not.toMatch(/no|Copy/);
  expect(first).toContain('yes, this is it');
});

test('a hidden list or table ends where its end tag is', () => {
  expect(parsed('<ul hidden><li>no</ul><table hidden><tr><td>no</table><p>one two three</p>').passages).toEqual([
    { content: '<p>one two three</p>', breadcrumb: [], subtype: 'paragraph', readable: 'one two three' },
  ]);
});

test.each([
  ['li', '<ul><li>one<li hidden>no</ul>'],
  ['li with a list', '<ul><li>one<li hidden>no<ul><li>no</ul>no</ul>'],
  ['tr', '<table><tr><td>one<tr hidden><td>no</table>'],
  ['td', '<table><tr><td>one<td hidden>no<tr></table>'],
  ['dd', '<dl><dt>one<dd hidden>no</dl>'],
  ['p before a block', 'one<p hidden>no <b>no'],
  ['p at the end of a cell', '<table><tr><td><p hidden>no</td><td>one</table>'],
  ['p before a cell', '<table><tr><td><p hidden>no<td>one</table>'],
  ['p in a heading', 'one<h2><p hidden>no</h2>'],
  ['tr before a stray end tag', '<table><tr><td>one<tr hidden><th>no</td><td>no</table>'],
  ['td before a stray end tag', '<table><tr><td>one<td hidden>no</th>no</table>'],
  ['li before a stray end tag', '<ul><li>one<li hidden>no</p>no</ul>'],
  ['p at the end of a block', '<section>one<p hidden>no <i>no</section>'],
])('a hidden element without an end tag ends with what is around it: %s', (_, html) => {
  expect(readables(`${html}<div>two three four</div>`)).toEqual(['one\ntwo three four']);
});

test('elements without end tags end where browsers end them', () => {
  expect(readables('<ul><li>one<li>two<li>three</ul><p>four<p>five words are in here')).toEqual([
    'one\ntwo\nthree\nfour\nfive words are in here',
  ]);
});

test('preformatted text keeps its lines and blanks; other white space is one blank', () => {
  expect(readables('<pre>def f():\n    return  1</pre>\n<p>a\n\n  b   c</p>')).toEqual([
    'def f():\n    return  1\na b c',
  ]);
});

test('character references are the characters that they name, broken ones are text', () => {
  expect(readables('<p>&lt;a&gt; &eacute; &#x41;&#66; &copy 1 &unknown; & R&D</p>')).toEqual([
    '<a> é AB © 1 &unknown; & R&D',
  ]);
});

test('a table is cut between rows, with its header before each part', () => {
  const rows = [
    '<tr><td>Small kettle of copper<td>1 litre',
    '<tr><td>Large kettle of copper<td>2 litres',
    '<tr><td>Giant kettle of copper<td>9 litres',
  ];
  const html = `<table><tr><th>Name<th>Size${rows.join('')}</table>`;
  const { passages } = parseHtml(html, options({ budget: 16 }));
  expect(passages.map(({ text }) => text)).toEqual([
    'Name | Size\nSmall kettle of copper | 1 litre',
    'Name | Size\nLarge kettle of copper | 2 litres',
    'Name | Size\nGiant kettle of copper | 9 litres',
  ]);
  expect(passages.map(({ start, end }) => html.slice(start, end))).toEqual([
    '<table><tr><th>Name<th>Size<tr><td>Small kettle of copper<td>1 litre',
    '<tr><td>Large kettle of copper<td>2 litres',
    '<tr><td>Giant kettle of copper<td>9 litres</table>',
  ]);
});

test('the alternative text of an image is read', () => {
  expect(parsed('<p><img src="a.png" alt="A kettle on fire"></p>').passages).toEqual([
    {
      content: '<p><img src="a.png" alt="A kettle on fire"></p>',
      breadcrumb: [],
      subtype: 'image',
      readable: 'A kettle on fire',
    },
  ]);
});

test.each([
  ['<p>Download<img src="a.png" alt="logo">here.</p>', 'Download logo here.'],
  ['<p>A <img alt="Build"><img alt="Coverage"></p>', 'A Build Coverage'],
  ['<p>Press <img alt="Enter">, then wait (<img alt="clock">).</p>', 'Press Enter, then wait (clock).'],
  ['<p>Kettle<img src="line.gif">lid</p>', 'Kettle lid'],
  ['<p>Save<svg><path/></svg>Open<button>OK</button> Close</p>', 'Save Open Close'],
  ['<p>Sa<b>ve</b> o<script>run()</script>nce</p>', 'Save once'],
  ['<p>मुख्य मेनू<img src="a.png">सहायता</p>', 'मुख्य मेनू सहायता'],
  ['<p><img alt="See the manual.">Boil 50%<svg></svg>off (<img alt="now">)</p>', 'See the manual. Boil 50% off (now)'],
  ['<label>Yes<input type="radio"></label><label>No</label>', 'Yes No'],
])('an image or a control separates the words beside it: %s', (html, expected) => {
  expect(readables(html)).toEqual([expected]);
});

test('the blanks around the text of a cell are not read', () => {
  expect(readables('<table><tr><td> One kettle </td> <td>\n of copper </td></tr></table>')).toEqual([
    'One kettle | of copper',
  ]);
});

test('a part of a page is shown as lines of text, with the place of each character', () => {
  const html = '<p>R&amp;D <b>is</b> fun</p><ul><li>one</li><li>two</li></ul>';
  expect(showHtml(html)).toBe('R&D is fun\none\ntwo');
  const seen = seeHtml(html);
  expect(seen && html.slice(seen.starts[1], seen.ends[1])).toBe('&amp;');
});

test('deeply nested, unclosed and stray tags are read in linear time, without recursion', () => {
  const html = `${'<div><ul><li>'.repeat(20_000)}in the deep${'</table></h1>'.repeat(20_000)}${'<b>'.repeat(20_000)}`;
  expect(readables(html)).toEqual(['in the deep']);
});

const PARTS = [
  ...['<p>', '</p>', '<h1>', '</h1>', '<h2>', '</h2>', '<ul>', '<li>', '</ul>', '<table>', '<tr>', '<th>', '<td>'],
  ...['</table>', '<pre>', '</pre>', '<b>', '</b>', '<br>', '<nav>', '</nav>', '<p hidden>', '<!--', '-->', '<a href='],
  ...[
    'one',
    'two words',
    ' ',
    '\n',
    '\r\n',
    '&amp;',
    '&',
    '&#x1f600;',
    '😀',
    '\u0301',
    '\uFEFF',
    '<',
    '>',
    '"',
    '\u0000',
  ],
  ...['<title>', '</title>', '<script>', '</script>', '<svg/>', '<img alt="picture">', '</', '<!doctype html>'],
];

test('any tags and texts give passages within the text, in order, that the model can read', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PARTS), { maxLength: 60 }),
      fc.constantFrom(4, 20, 192),
      (parts, budget) => {
        const text = parts.join('');
        const given = options({ budget });
        expect(cutViolations(text, parseHtml(text, given), given)).toEqual([]);
        const seen = seeHtml(text);
        expect(seen?.starts.length).toBe(seen?.text.length);
      },
    ),
  );
});

test('every word that a reader sees is in a passage or in a breadcrumb', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...PARTS), fc.constant('WORD ')), { maxLength: 60 }),
      fc.constantFrom(4, 20, 192),
      (parts, budget) => {
        const text = parts.map((part, i) => (part === 'WORD ' ? `word${i} ` : part)).join('');
        const { passages, title } = parseHtml(text, options({ budget }));
        const found = [title ?? '', ...passages.flatMap(({ readable, breadcrumb }) => [readable, ...breadcrumb])];
        const seen = seeHtml(text)?.text.match(/word\d+/g) ?? [];
        expect(seen.filter((word) => !found.some((each) => each.includes(word)))).toEqual([]);
      },
    ),
    { numRuns: 500 },
  );
});
