import { expect, test } from 'vitest';
import { collect, collectTag, decimal, integer } from '#src/cli/commands/option-values.js';

test('an integer is parsed; anything else is returned unchanged, for the engine to reject', () => {
  expect(['0', '7', '-1', '007'].map(integer)).toEqual([0, 7, -1, 7]);
  expect(['', 'ten', '1.5', '1e3', ' 1', '0x10', 'NaN'].map(integer)).toEqual([
    '',
    'ten',
    '1.5',
    '1e3',
    ' 1',
    '0x10',
    'NaN',
  ]);
});

test('a number is parsed as people write it; anything else is returned unchanged', () => {
  expect(['0', '.5', '1.', '-0.5', '+2', '1e-3', '2.5E1'].map(decimal)).toEqual([0, 0.5, 1, -0.5, 2, 0.001, 25]);
  for (const text of ['', '.', 'e3', '1e', '0,5', '1.2.3', '0x10', ' 1', 'NaN', 'Infinity']) {
    expect(decimal(text)).toBe(text);
  }
});

test('a repeated option collects all its values', () => {
  expect(collect('b', collect('a'))).toEqual(['a', 'b']);
});

test('--tag for files: the first = ends the name, and the last value of a name wins', () => {
  expect(collectTag('a=1')).toEqual({ a: '1' });
  expect(collectTag('b=x=y', { a: '1' })).toEqual({ a: '1', b: 'x=y' });
  expect(collectTag('a=', { a: '1' })).toEqual({ a: '' });
});

test('a tag without a name or value is rejected', () => {
  for (const text of ['', 'a', '=1']) {
    expect(() => collectTag(text)).toThrow('Expected name=value.');
  }
});
