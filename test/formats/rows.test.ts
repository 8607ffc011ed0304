import fc from 'fast-check';
import { expect, test } from 'vitest';
import parseCsv from '#src/formats/rows/parse-csv.js';
import parseJsonLines from '#src/formats/rows/parse-json-lines.js';
import parseTsv from '#src/formats/rows/parse-tsv.js';
import { seeJsonLines, showCsv, showJsonLines } from '#src/formats/rows/visible-rows.js';
import { options } from './markdown/counting.js';
import { cutViolations } from './markdown/invariants.js';

const readable = (parse: typeof parseCsv, text: string) =>
  parse(text, options()).passages.map((passage) => passage.readable);

test('values of a row are read side by side, without the quotes and white space around them', () => {
  expect(readable(parseCsv, 'name, note\r\nKettle,"boils ""fast"", and\nhot"\r\n\r\n, Lid ,\r\n')).toEqual([
    'name | note\nKettle | boils "fast", and\nhot\nLid',
  ]);
});

test.each([
  ['semicolons', 'a one;b two\n1,5;2,5\n', 'a one | b two\n1,5 | 2,5'],
  ['tabs', 'a one\tb two\n1,5\t2\n', 'a one | b two\n1,5 | 2'],
  ['bars', 'a one|b, two|c\n1|2|3\n', 'a one | b, two | c\n1 | 2 | 3'],
])('the delimiter of the first row is found: %s', (_, text, expected) => {
  expect(readable(parseCsv, text)).toEqual([expected]);
});

test('in tab-separated values nothing but a tab separates', () => {
  expect(readable(parseTsv, 'a, b; c\td e\n')).toEqual(['a, b; c | d e']);
});

test('text after a closing quote belongs to the value', () => {
  expect(readable(parseCsv, 'name,note\n"inch" wide,x\n')).toEqual(['name | note\ninch wide | x']);
});

test('a quote that is never closed is an ordinary character', () => {
  expect(readable(parseCsv, 'name,note\n"inch,is long here\nmore,rows\n')).toEqual([
    'name | note\n"inch | is long here\nmore | rows',
  ]);
});

test('groups of whole rows are passages, each embedded and shown with the header', () => {
  const text = 'name,size\nsmall kettle of copper,1 litre\nlarge kettle of copper,2 litres\n';
  const { passages, title } = parseCsv(text, options({ budget: 16, fallbackTitle: 'kettles' }));
  expect(title).toBe('kettles');
  expect(
    passages.map(({ start, end, text: embedded, opening, subtype, startLine }) => ({
      content: text.slice(start, end),
      embedded,
      opening,
      subtype,
      startLine,
    })),
  ).toEqual([
    {
      content: 'name,size\nsmall kettle of copper,1 litre',
      embedded: 'kettles\nname | size\nsmall kettle of copper | 1 litre',
      opening: undefined,
      subtype: 'table',
      startLine: 1,
    },
    {
      content: 'large kettle of copper,2 litres',
      embedded: 'kettles\nname | size\nlarge kettle of copper | 2 litres',
      opening: 'name,size\n',
      subtype: 'table',
      startLine: 3,
    },
  ]);
});

const parts = (parse: typeof parseCsv, text: string, given: Parameters<typeof options>[0]) =>
  parse(text, options(given)).passages.map(({ start, end, text: embedded, opening, names }) => ({
    content: text.slice(start, end),
    embedded,
    opening,
    names,
  }));

test('a row that is too long is cut between values; each part names the row and its own columns', () => {
  const text = 'name,body,lid,,handle\nKettle,"copper, polished by hand in Rome",brass with a lead rim,,red wood\n';
  expect(parts(parseCsv, text, { budget: 24 })).toEqual([
    { content: 'name,body,lid,,handle', embedded: 'name | body | lid | handle' },
    {
      content: 'Kettle,"copper, polished by hand in Rome"',
      embedded: 'name | body\nKettle | copper, polished by hand in Rome',
      opening: 'name,body\n',
      names: 'name | body',
    },
    {
      content: 'brass with a lead rim,,red wood',
      embedded: 'name: Kettle | lid | handle\nbrass with a lead rim | red wood',
      opening: 'lid,,handle\n',
      names: 'name: Kettle | lid | handle',
    },
  ]);
});

test('a value that is too long is cut between sentences, and each part names its column', () => {
  const text = 'name,note\nLid,"It closes the kettle. It keeps the heat in. It is very easy to lift by hand."\n';
  expect(parts(parseCsv, text, { budget: 24 }).map(({ embedded }) => embedded)).toEqual([
    'name | note',
    'name | note\nLid | It closes the kettle. It keeps the heat in.',
    'name: Lid | note\nIt is very easy to lift by hand.',
  ]);
});

test('the last rows of a long text are embedded with the header, too', () => {
  const rows = Array.from({ length: 1500 }, (_, i) => `thing number ${i + 1000},red and blue,round or square\n`);
  const text = `name,colour,shape\n${rows.join('')}`;
  const { passages } = parseCsv(text, options({ budget: 192, fallbackTitle: 't' }));
  const last = (length: number) => {
    const { passages } = parseCsv(text.slice(0, length), options({ budget: 192, fallbackTitle: 't' }));
    return passages.at(-1)?.text.split('\n').slice(0, 2);
  };
  expect(passages.length).toBeGreaterThan(50);
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index + 1).filter((end) => end > 65_000 && end < 66_500);
  expect(ends.map(last)).toEqual(ends.map(() => ['t', 'name | colour | shape']));
});

test('rows below a header that is too long to repeat are named one by one', () => {
  const text = 'name of it,colour of it,size of it,use of it\nKettle,red,,water\nLid,,small,cover\n';
  expect(parts(parseCsv, text, { budget: 20 }).map(({ embedded }) => embedded)).toEqual([
    'name of it | colour of it | size of it | use of it\nKettle | red | water',
    'name of it | size of it\nLid | small',
    'use of it\ncover',
  ]);
});

test('a JSON line that is too long is cut between values; each part names the line and the members it is in', () => {
  const size = { height: 'ten inches', width: 'four inches', parts: ['lid of brass', 'long spout', 'round base'] };
  const text = `${JSON.stringify({ title: 'Kettle', size, last: [] })}\n`;
  expect(parts(parseJsonLines, text, { budget: 20 })).toEqual([
    {
      content: '"title":"Kettle","size":{"height":"ten inches","width":"four inches"',
      embedded: 'title: Kettle\nsize: height: ten inches\nwidth: four inches',
    },
    {
      content: '"parts":["lid of brass","long spout","round base"',
      embedded: 'title: Kettle | size\nparts: lid of brass, long spout, round base',
      names: 'title: Kettle | size',
    },
    { content: '"last"', embedded: 'title: Kettle\nlast:', names: 'title: Kettle' },
  ]);
});

test('names and values of a JSON line are read; escapes are the characters that they name', () => {
  const text = '{"title":"Kettle \\u00e9","tags":["hot","tall"],"size":{"litres":1.5}}\n';
  expect(readable(parseJsonLines, text)).toEqual(['title: Kettle é\ntags: hot, tall\nsize: litres: 1.5']);
});

test('a line that is not JSON is text, with a warning', () => {
  const { passages, warnings } = parseJsonLines('["one two"]\r\nnot json here\r\n{"a":\r\n', options());
  expect(passages.map((passage) => passage.readable)).toEqual(['one two\nnot json here\n{"a":']);
  expect(warnings).toEqual(['Line 2 is not JSON: it is read as text. Neither are 1 others.']);
});

test('a value that is nested deeply is read without recursion', () => {
  const text = `${'['.repeat(50_000)}"deep in the nest"${']'.repeat(50_000)}`;
  expect(readable(parseJsonLines, text).join('')).toContain('deep in the nest');
});

test('rows are shown as lines of text, with the place of each character', () => {
  expect(showCsv('large kettle,"2 ""big"" litres"')).toBe('large kettle | 2 "big" litres');
  const line = '{"a":"x\\ty"}';
  expect(showJsonLines(line)).toBe('a: x\ty');
  const seen = seeJsonLines(line);
  expect(seen && line.slice(seen.starts[4], seen.ends[4])).toBe('\\t');
});

const PIECES = [
  '"',
  '""',
  ',',
  ';',
  '\t',
  '\n',
  '\r\n',
  '\r',
  ' ',
  'one',
  'two words',
  '😀',
  '{"a":',
  '}',
  '[',
  ']',
  '\\',
  '\\n"',
  '\uFEFF',
  '1.5',
];

test.each([
  ['CSV', parseCsv],
  ['TSV', parseTsv],
  ['JSON lines', parseJsonLines],
])('any text read as %s gives passages within it, in order, that the model can read', (_, parse) => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }),
      fc.constantFrom(4, 20, 192),
      (pieces, budget) => {
        const text = pieces.join('');
        const given = options({ budget });
        expect(cutViolations(text, parse(text, given), given)).toEqual([]);
      },
    ),
  );
});

test('a value that is too long is not cut inside of an escape sequence', () => {
  const text = `{"a": "${'bcde\\n'.repeat(300)}"}\n`;
  for (const { start, end } of parseJsonLines(text, options({ budget: 20 })).passages) {
    expect(text.slice(start, end)).not.toMatch(/\\$|^n/);
  }
});
