import { expect, it } from 'vitest';
import { sourcesIn } from './sources.js';

const tests = sourcesIn('test').filter(({ file }) => file !== 'test/house/tests.test.ts');

function linesWith(pattern: RegExp): string[] {
  return tests.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line, i) => (pattern.test(line) ? [`${file}:${i + 1}`] : [])),
  );
}

it('no test returns what an expectation returns: to fast-check any value but true is a failure', () => {
  expect(linesWith(/return expect\(/)).toEqual([]);
});

it('no test draws numbers that a failure could not draw again, as fast-check and seeded() can', () => {
  expect(linesWith(/Math\.random\(/)).toEqual([]);
});

it('no test waits with a limit of time: until() has none but that of the test', () => {
  expect(linesWith(/expect\.poll|vi\.wait/)).toEqual([]);
});

it('no test has a limit of time that is below that of the configuration', () => {
  const limits = /^\}, [\d_]+\);|\btest.*\{ timeout: [\d_]+ \}/;
  expect(linesWith(limits)).toEqual([]);
});

it('no test waits by turns of the event loop for work elsewhere: until() leaves it the core', () => {
  expect(linesWith(/while .*setImmediate/)).toEqual([]);
});
