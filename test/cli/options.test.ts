import { expect, test } from 'vitest';
import { collect, collectFilter, collectTag, wholeNumber } from '#src/cli/options.js';

test('a whole number is a number; anything else stays as it is, for the engine to refuse', () => {
  expect(['0', '7', '-1', '007'].map(wholeNumber)).toEqual([0, 7, -1, 7]);
  expect(['', 'ten', '1.5', '1e3', ' 1', '0x10', 'NaN'].map(wholeNumber)).toEqual([
    '',
    'ten',
    '1.5',
    '1e3',
    ' 1',
    '0x10',
    'NaN',
  ]);
});

test('an option that is repeated has all its values', () => {
  expect(collect('b', collect('a'))).toEqual(['a', 'b']);
});

test('--tag for files: what stands before the first = is the name; the last of a name counts', () => {
  expect(collectTag('a=1')).toEqual({ a: '1' });
  expect(collectTag('b=x=y', { a: '1' })).toEqual({ a: '1', b: 'x=y' });
  expect(collectTag('a=', { a: '1' })).toEqual({ a: '' });
});

test('--tag for a search: name=value again is either value, name!=value is none of them', () => {
  expect(collectFilter('a=1')).toEqual({ a: ['1'] });
  expect(collectFilter('a=2', collectFilter('a=1'))).toEqual({ a: ['1', '2'] });
  expect(collectFilter('b!=1', collectFilter('a=1'))).toEqual({ a: ['1'], b: { not: ['1'] } });
  expect(collectFilter('b!=2', collectFilter('b!=1'))).toEqual({ b: { not: ['1', '2'] } });
  expect(collectFilter('a=b!=c')).toEqual({ a: ['b!=c'] });
});

test('a tag without a name or value, and one that is asked to be and not to be, are refused', () => {
  for (const text of ['', 'a', '=1']) {
    expect(() => collectTag(text)).toThrow('Write it as name=value.');
    expect(() => collectFilter(text)).toThrow('Write it as name=value or name!=value.');
  }
  expect(() => collectFilter('!=1')).toThrow('Write it as name=value or name!=value.');
  expect(() => collectFilter('a!=1', collectFilter('a=1'))).toThrow('Ask of "a" either what it is or what it is not.');
});
