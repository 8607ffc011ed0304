import { expect, it } from 'vitest';
import { sourcesIn } from './sources.js';

const tests = sourcesIn('test').filter(({ file }) => file !== 'test/house/tests.test.ts');

function linesWith(pattern: RegExp): string[] {
  return tests.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line, i) => (pattern.test(line) ? [`${file}:${i + 1}`] : [])),
  );
}

it('no test returns what expect() returns: fast-check takes any value except true as a failure', () => {
  expect(linesWith(/return expect\(/)).toEqual([]);
});

it('no test draws random numbers that a repetition cannot draw again: fast-check and seeded() can', () => {
  expect(linesWith(/Math\.random\(/)).toEqual([]);
});

it('no test waits with a limit of time: until() has none but that of the test', () => {
  expect(linesWith(/expect\.poll|vi\.wait/)).toEqual([]);
});

it('no test has a limit of time that is below that of the configuration', () => {
  const limits = /^\}, [\d_]+\);|\btest.*\{ timeout: [\d_]+ \}/;
  expect(linesWith(limits)).toEqual([]);
});

it('no test waits in turns of the event loop for other work: until() leaves the core to that work', () => {
  expect(linesWith(/while .*setImmediate/)).toEqual([]);
});
