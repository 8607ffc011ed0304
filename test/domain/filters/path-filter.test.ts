import fc from 'fast-check';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { isGlob, literalGlob, pathFilter } from '#src/domain/filters/path-filter.js';

const KEYS = ['README.md', 'guides/[id].md', 'guides/a.md', 'guides/go/b.md', 'guides/go/c.mdx', 'guides2/.d.md'];

const CASES: readonly (readonly [path: string, keys: readonly string[]])[] = [
  ['README.md', ['README.md']],
  ['./README.md', ['README.md']],
  ['readme.md', []],
  ['a.md', []],
  ['guides', KEYS.slice(1, 5)],
  ['guides/', KEYS.slice(1, 5)],
  ['./guides//', KEYS.slice(1, 5)],
  ['guide', []],
  ['guides/go', ['guides/go/b.md', 'guides/go/c.mdx']],
  ['.', KEYS],
  ['./', KEYS],
  ['..', []],
  // A key with wildcards also matches literally.
  ['guides/[id].md', ['guides/[id].md']],
  ['guides/\\[id\\].md', ['guides/[id].md']],
  // Without a slash: the name of a file in any folder.
  ['*.md', KEYS.filter((key) => key !== 'guides/go/c.mdx')],
  ['?.md', ['guides/a.md', 'guides/go/b.md']],
  ['[ab].md*', ['guides/a.md', 'guides/go/b.md']],
  ['[!ab].*', ['guides/go/c.mdx']],
  ['{README,a}.md', ['README.md', 'guides/a.md']],
  // With one: the whole key.
  ['./*.md', ['README.md']],
  ['guides/*', ['guides/[id].md', 'guides/a.md']],
  ['guides/*.md', ['guides/[id].md', 'guides/a.md']],
  ['guides/**', KEYS.slice(1, 5)],
  ['guides/**/*.md', ['guides/[id].md', 'guides/a.md', 'guides/go/b.md']],
  ['**/go/*', ['guides/go/b.md', 'guides/go/c.mdx']],
  ['{guides/go,guides2}/*', ['guides/go/b.md', 'guides/go/c.mdx', 'guides2/.d.md']],
  ['**', KEYS],
  ['guides*/', KEYS.slice(1)],
  ['guides**/*.md', ['guides/[id].md', 'guides/a.md', 'guides2/.d.md']],
  // What closes nothing stands for itself.
  ['{guides/*', []],
  ['guides/[*', ['guides/[id].md']],
];

test('a path is a file, a folder or a glob', () => {
  for (const [path, keys] of CASES) expect([path, KEYS.filter(pathFilter([path]))]).toEqual([path, keys]);
});

test('a file matches if one of the paths matches; no paths are no condition', () => {
  expect(KEYS.filter(pathFilter(['README.md', 'guides2', '?.mdx']))).toEqual([
    'README.md',
    'guides/go/c.mdx',
    'guides2/.d.md',
  ]);
  expect(KEYS.filter(pathFilter([]))).toEqual(KEYS);
});

test('a glob with a slash matches what picomatch says', () => {
  const name = fc.array(fc.constantFrom('a', 'b', '.', '*', '?', '[ab]', '[^a]', '{a,b*}', 'b{,a}'), {
    minLength: 1,
    maxLength: 4,
  });
  const part = fc.oneof(
    fc.constant('**'),
    name.map((parts) => parts.join('')),
  );
  const glob = fc.array(part, { minLength: 2, maxLength: 4 }).map((parts) => parts.join('/'));
  const folder = fc.string({ unit: fc.constantFrom('a', 'b', '.', 'c'), minLength: 1, maxLength: 4 });
  const key = fc.array(folder, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  // "." and ".." name no file, and picomatch lets `a/**` match the file `a`, a brace of two stars be `**`.
  const isPlain = (text: string) => !/(^|\/)\.{0,2}(\/|$)/.test(text);
  fc.assert(
    fc.property(glob, fc.array(key, { minLength: 20, maxLength: 20 }), (pattern, keys) => {
      fc.pre(isPlain(pattern) && /[*?[{]/.test(pattern) && !/\*\*(?!\/)|[^/]\*\*/.test(pattern));
      const expected = picomatch(pattern, {
        dot: true,
        nonegate: true,
        noextglob: true,
        strictSlashes: true,
        fastpaths: false,
      });
      const plain = keys.filter(isPlain);
      expect([pattern, plain.filter(pathFilter([pattern]))]).toEqual([pattern, plain.filter((each) => expected(each))]);
    }),
    { numRuns: 2000 },
  );
});

test('patterns that a backtracking matcher does not survive take steps in proportion to their length', () => {
  const key = 'languages/go/metrics-and-counters-with-prometheus-client.md';
  const hostile = ['*?', '?*', '{a,a}', '{*,?}', '{a/,}', '[!b]*', '*a'].map((part) => part.repeat(190));
  for (const pattern of hostile) {
    for (const text of [key, 'a'.repeat(1000), 'a/'.repeat(499)]) {
      expect(pathFilter([`**/${pattern.slice(0, 995)}!`])(text)).toBe(false);
    }
  }
});

test('a literal glob matches its key alone, also inside of braces and before another glob', () => {
  const keys = ['a*b', '[id]', '{x,y}', 'a\\*', 'what?', 'a,[b]'];
  for (const key of keys) {
    expect(isGlob(key)).toBe(true);
    expect([...keys, 'aab', 'i', 'x', 'whats'].filter(pathFilter([`./${literalGlob(key)}`]))).toEqual([key]);
    expect(pathFilter([`./{${literalGlob(key)},other}/*.md`])(`${key}/c.md`)).toBe(true);
  }
});
