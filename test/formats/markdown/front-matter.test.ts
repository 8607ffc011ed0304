import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LIMITS } from '#src/domain/limits.js';
import parseMarkdown from '#src/formats/markdown/parse-markdown.js';
import { contents, embedded, options, outline } from './counting.js';

/** What a file says about itself. */
function said(text: string) {
  const { title, tags, metadata, warnings } = parseMarkdown(text, options());
  return { title, tags, metadata, warnings };
}

test('YAML front matter becomes title, tags and metadata', () => {
  expect(said('---\ntitle: A guide\ntags: [setup, linux]\norder: 3\ndraft: false\n---\n\n# A\n')).toEqual({
    title: 'A guide',
    tags: { setup: 'true', linux: 'true' },
    metadata: { title: 'A guide', order: 3, draft: false },
    warnings: [],
  });
});

test('YAML may be indented by tabs within brackets', () => {
  expect(said('---\ntitle: A guide\naliases: [\n\t"/a",\n\t"/b",\n]\n---\n\na')).toEqual({
    title: 'A guide',
    tags: {},
    metadata: { title: 'A guide', aliases: ['/a', '/b'] },
    warnings: [],
  });
});

test('TOML front matter becomes title, tags and metadata', () => {
  expect(said('+++\ntitle = "A guide"\ntags = ["setup"]\ndate = 2024-05-01\n[extra]\ntoc = true\n+++\n\na')).toEqual({
    title: 'A guide',
    tags: { setup: 'true' },
    metadata: { title: 'A guide', date: '2024-05-01', extra: { toc: true } },
    warnings: [],
  });
});

test.each([
  ['a list', 'tags: [a, 2, true]', { a: 'true', 2: 'true', true: 'true' }],
  ['a block list', 'tags:\n  - a b\n  - c', { 'a b': 'true', c: 'true' }],
  ['commas', 'tags: a, b c ,, d', { a: 'true', 'b c': 'true', d: 'true' }],
  ['a number', 'tags: 2024', { 2024: 'true' }],
  [
    'an object',
    'tags:\n  audience: admin\n  version: 2\n  public: true',
    { audience: 'admin', version: '2', public: 'true' },
  ],
  ['nothing', 'tags:', {}],
  ['values that are not scalars, dropped', 'tags: [a, [b], {c: d}, null, ""]', { a: 'true' }],
  ['an object without usable values', 'tags: {a: [b], c: null, "": d}', {}],
  ['a name that every object has', 'tags: [__proto__]', JSON.parse('{"__proto__": "true"}')],
])('tags are given as %s', (_, yaml, tags) => {
  expect(said(`---\n${yaml}\n---\n`).tags).toEqual(tags);
});

test('a tag value is cut at 1,000 characters', () => {
  expect(said(`---\ntags: {a: ${'x'.repeat(1001)}}\n---\n`).tags).toEqual({ a: 'x'.repeat(1000) });
});

test('metadata is JSON: dates and numbers stay, numbers that are not finite become null', () => {
  expect(
    said('---\nday: 2024-05-01\nat: 2024-05-01T10:00:00Z\nn: 1.5\nbig: 1e3\nno: .inf\nlist: [1, {a: b}]\n---\n')
      .metadata,
  ).toEqual({
    day: '2024-05-01',
    at: '2024-05-01T10:00:00Z',
    n: 1.5,
    big: 1000,
    no: null,
    list: [1, { a: 'b' }],
  });
});

test.each([
  ['a number', 'title: 404', '404'],
  ['several lines', 'title: >\n  one\n  two', 'one two'],
  ['blanks', 'title: "  "', undefined],
  ['a list', 'title: [a]', undefined],
  ['markup and references', 'title: "The `a` **&amp;** [b](/c) \\\\* d"', 'The a & b * d'],
  ['a tag', 'title: <Tab> in 1. F#', '<Tab> in 1. F#'],
  ['a name with two underscores', 'title: "`a` in __init__.py, __not this__"', 'a in __init__.py, not this'],
  ['a hash', 'title: "1. What is #"', '1. What is #'],
  ['marks without text', 'title: "![](a.png)"', '![](a.png)'],
])('the title is given as %s', (_, yaml, title) => {
  expect(said(`---\n${yaml}\n---\n`).title).toEqual(title);
});

test('the title is the front matter’s, else the first heading of level 1 that is not empty', () => {
  expect(said('---\ntitle: T\n---\n# H\n').title).toBe('T');
  expect(said('---\norder: 1\n---\n## B\n\n#\n\n# *H*\n\n# I\n').title).toBe('H');
  expect(said('## B\n').title).toBeUndefined();
});

test('a title begins every breadcrumb', () => {
  expect(outline('---\ntitle: T\n---\na\n\n# H\n\nb\n\n## I\n')).toEqual(['T: a', 'T > H: b', 'T > H: ## I']);
});

test('a title with markup is plain in breadcrumbs, and is as written in the metadata', () => {
  const text = '---\ntitle: "The `&&` &amp; **more**"\n---\n# The && & *more*\n\na';
  expect(outline(text)).toEqual(['The && & more: a']);
  expect(said(text).metadata).toEqual({ title: 'The `&&` &amp; **more**' });
});

test('a title that is also the level 1 heading appears once in breadcrumbs', () => {
  expect(outline('---\ntitle: the Guide\n---\na\n\n# The guide\n\nb\n\n## I\n\nc')).toEqual([
    'the Guide: a',
    'The guide: b',
    'The guide > I: c',
  ]);
});

test('a heading that is also the title is a passage if nothing is below it', () => {
  expect(outline('---\ntitle: T\n---\n# T\n')).toEqual([': # T']);
});

test.each([
  ['YAML', '---\ntitle: "open\n---\n'],
  ['TOML', '+++\ntitle = \n+++\n'],
  [
    'aliases that expand exponentially',
    `---\na: &a [x]\n${[...'bcdefgh'].map((key, i) => `${key}: &${key} [${`*${'abcdefg'[i]}, `.repeat(9)}]`).join('\n')}\n---\n`,
  ],
])('front matter of broken %s is a warning, and the body is indexed', (_, front) => {
  const file = parseMarkdown(`${front}\n# H\n\nbody`, options());
  expect(file).toMatchObject({ title: 'H', tags: {}, metadata: {}, passages: [{ text: 'H\nbody' }] });
  expect(file.warnings).toEqual([
    expect.stringMatching(/^The front matter could not be read \(.+\): title, tags and metadata are ignored\.$/),
  ]);
});

test.each([
  ['that nothing closes', '---\na: b\n\n- one two\n\n> three four', ['---\na: b\n\n- one two\n\n> three four']],
  ['around text', '---\n\nOne two.\n\n---\n\n> Three four.', ['---\n\nOne two.\n\n---\n\n> Three four.']],
  ['around a heading', '+++\r\n\r\n# One\r\n\r\nTwo three.\r\n+++\r\n', ['+++\r\n\r\n# One\r\n\r\nTwo three.\r\n+++']],
])('a mark of front matter %s is part of the text', (_, text, slices) => {
  expect(said(text)).toMatchObject({ metadata: {}, warnings: [] });
  expect(contents(text)).toEqual(slices);
  expect(embedded(text).join()).not.toContain('>');
});

test('front matter may begin with a blank line', () => {
  for (const text of ['---\n\ntitle: A\n---\nb', '+++\r\n \r\ntitle = "A"\r\n+++\r\nb'])
    expect(said(text)).toEqual({ title: 'A', tags: {}, metadata: { title: 'A' }, warnings: [] });
});

test('the line of an error is that of the file', () => {
  expect(said('---\ntitle: A\ntitle: B\n---\n').warnings).toEqual([
    'The front matter could not be read (Map keys must be unique at line 3, column 1): title, tags and metadata are ignored.',
  ]);
});

test('front matter that is not a mapping is a warning', () => {
  expect(said('---\njust text\n---\n').warnings).toEqual([
    'The front matter could not be read (it is not a mapping of names to values): title, tags and metadata are ignored.',
  ]);
});

test('front matter that is empty, or only comments, gives nothing', () => {
  const nothing = { title: undefined, tags: {}, metadata: {}, warnings: [] };
  expect(said('---\n---\na')).toEqual(nothing);
  expect(said('---\n# a comment\n---\na')).toEqual(nothing);
});

test('front matter that is empty ends at its second line, though a rule follows further down', () => {
  expect(outline('---\n---\n## Set up {#setup}\n\nRun the installer.\n\n---\n\nDone.\n')).toEqual([
    'Set up: Run the installer.\n\n---\n\nDone.',
  ]);
});

test('an unknown YAML tag is read as its value, without output on stderr', async () => {
  const warned: unknown[] = [];
  const listen = (warning: unknown) => warned.push(warning);
  process.on('warning', listen);
  expect(said('---\na: !ref b\n---\n').metadata).toEqual({ a: 'b' });
  await setImmediate();
  process.off('warning', listen);
  expect(warned).toEqual([]);
});

test('front matter is in no passage', () => {
  expect(outline('---\na: b\n---\n\ntext\n')).toEqual([': text']);
  expect(outline('---\na: b\n---\n')).toEqual([]);
});

test('what looks like front matter further down is text', () => {
  expect(outline('a\n\n---\nb: c\n---\n')).toEqual([': a\n\n---', ': b: c\n---']);
});

test('front matter with CRLF behind a byte order mark is read', () => {
  expect(said('\uFEFF---\r\ntitle: T\r\ntags: a\r\n---\r\n\r\na')).toMatchObject({
    title: 'T',
    tags: { a: 'true' },
    warnings: [],
  });
});

const LEFT_OUT = 'the fields of the front matter are not in the metadata.';

test.each<[what: string, yaml: string, warning: string]>([
  [
    'aliases of much text',
    `big: &big ${'x'.repeat(10_000)}\nlist: [${'*big, '.repeat(90)}]`,
    `metadata must have at most 64 KB of JSON: ${LEFT_OUT}`,
  ],
  [
    'aliases of lists of aliases',
    `a: &a [${'x, '.repeat(900)}]\nb: &b [${'*a, '.repeat(9)}]\nc: [${'*b, '.repeat(9)}]`,
    `metadata must have at most 64 KB of JSON: ${LEFT_OUT}`,
  ],
  ['a circle', 'a: &a [*a]', `metadata must have at most 64 KB of JSON: ${LEFT_OUT}`],
  ['deep lists', `deep: ${'['.repeat(102)}${']'.repeat(102)}`, `metadata must have at most 100 levels: ${LEFT_OUT}`],
])('metadata beyond a limit is left out, with a warning; title and tags stay: %s', (_, yaml, warning) => {
  expect(said(`---\ntitle: A guide\ntags: [setup]\n${yaml}\n---\n\na`)).toEqual({
    title: 'A guide',
    tags: { setup: 'true' },
    metadata: {},
    warnings: [warning],
  });
});

test.each([
  ['lists', `a: ${'['.repeat(200)}`],
  ['mappings', `a: ${'{b: '.repeat(200)}`],
  ['keys', '? '.repeat(201)],
])('front matter of more than 200 levels is not read: %s', (_, yaml) => {
  const { metadata, warnings } = said(`---\n${yaml}\n---\n\na`);
  expect(metadata).toEqual({});
  expect(warnings).toEqual([
    'The front matter could not be read (it has more than 200 levels): title, tags and metadata are ignored.',
  ]);
});

test('metadata of just as many levels as the limit stays', () => {
  const deep = `${'['.repeat(100)}${']'.repeat(100)}`;
  expect(said(`---\ndeep: ${deep}\n---\n\na`)).toMatchObject({ metadata: { deep: JSON.parse(deep) }, warnings: [] });
});

test('front matter beyond 64 KB is ignored, with a warning', () => {
  expect(said(`---\ntitle: A guide\n${'# comment\n'.repeat(7_000)}---\n\na`)).toEqual({
    title: undefined,
    tags: {},
    metadata: {},
    warnings: ['Front matter must have at most 64 KB; it has 70014 bytes: title, tags and metadata are ignored.'],
  });
});

test.each<[what: string, tags: string, kept: number, limit: string]>([
  ['more than 100', `[${Array.from({ length: 150 }, (_, i) => `t${i}`).join(', ')}]`, 100, 'at most 100 names'],
  ['a name of 1,001 characters', `[a, ${'n'.repeat(1001)}, b]`, 2, 'at most 1000 characters'],
  ['a name of 20,000 characters', `[a, ${'n'.repeat(20_000)}, b]`, 2, 'at most 1000 characters'],
  [
    'more than 16 KB',
    `{${Array.from({ length: 40 }, (_, i) => `t${i}: ${'v'.repeat(1000)}`).join(', ')}}`,
    16,
    'at most 16 KB of JSON',
  ],
])('tags beyond a limit are left out, with a warning: %s', (_, tags, kept, limit) => {
  const { tags: found, warnings } = said(`---\ntags: ${tags}\n---\n\na`);
  expect([Object.keys(found).length, warnings]).toEqual([kept, [expect.stringContaining(limit)]]);
});

test.each([
  [
    'just 16 KB',
    `{${'abcdefghijklmnop'.replace(/./g, (name) => `${name}0: ${'v'.repeat(1000)}, `)}last: ${'v'.repeat(245)}}`,
    17,
  ],
  ['a name 2,000 times', `[${'a, '.repeat(2_000)}b]`, 2],
])('tags within the limits are all kept: %s', (_, tags, kept) => {
  const { tags: found, warnings } = said(`---\ntags: ${tags}\n---\n\na`);
  expect([Object.keys(found).length, warnings]).toEqual([kept, []]);
});

test.each([
  ['a lone CR', '---\rtitle: A guide\rtags: [a, b]\r---\r\rtext\r'],
  ['CRLF', '---\r\ntitle: A guide\r\ntags: [a, b]\r\n---\r\n\r\ntext\r\n'],
  ['mixed line ends', '---\ntitle: A guide\rtags: [a, b]\r\n---\r\rtext\n'],
  ['a lone CR, in TOML', '+++\rtitle = "A guide"\rtags = ["a", "b"]\r+++\r\rtext\r'],
])('front matter may have any line ends: %s', (_, text) => {
  expect(said(text)).toEqual({
    title: 'A guide',
    tags: { a: 'true', b: 'true' },
    metadata: { title: 'A guide' },
    warnings: [],
  });
});

test('no marks of flavours are searched for in front matter with any line ends', () => {
  const { metadata } = said('---\rsummary: write {{< note >}} here\r---\r\rtext\r');
  expect(metadata).toEqual({ summary: 'write {{< note >}} here' });
});

test.each([
  ['a colon', 'title: One: two', 'One: two'],
  ['a bracket', 'title: {#each a}', '{#each a}'],
  ['a mark', "title: '@media'\na: @b", '@media'],
])('front matter that is not valid still gives its title, with %s', (_, front, title) => {
  const { warnings, ...file } = said(`---\n${front}\ntags: c\n---\n\na`);
  expect(file).toEqual({ title, tags: {}, metadata: {} });
  expect(warnings).toEqual([
    expect.stringMatching(/^The front matter could not be read \(.+\): tags and metadata are ignored\.$/),
  ]);
});

test('three dots end YAML front matter, as three dashes do', () => {
  const text = '---\ntitle: A\n...\n\nb c d\n\n---\n\ne f g';
  expect(said(text)).toEqual({ title: 'A', tags: {}, metadata: { title: 'A' }, warnings: [] });
  expect(contents(text)).toEqual(['b c d\n\n---\n\ne f g']);
  expect(said('---\ntitle: A\n\n```\n...\n```\n')).toEqual({ title: undefined, tags: {}, metadata: {}, warnings: [] });
});

test('a comment at the beginning may have the title', () => {
  expect(said('[//]: # (title: Type *aliases*)\n\na b c').title).toBe('Type aliases');
});

test('a title is not cut inside of a character', () => {
  expect(said(`---\ntitle: ${'a'.repeat(LIMITS.title.value - 1)}😀\n---\n\na`).title).toBe(
    'a'.repeat(LIMITS.title.value - 1),
  );
});
