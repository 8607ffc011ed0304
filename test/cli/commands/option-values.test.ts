import { expect, test } from 'vitest';
import { collect, collectFilter, collectTag, integer } from '#src/cli/commands/option-values.js';

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

test('a repeated option collects all its values', () => {
  expect(collect('b', collect('a'))).toEqual(['a', 'b']);
});

test('--tag for files: the first = ends the name, and the last value of a name wins', () => {
  expect(collectTag('a=1')).toEqual({ a: '1' });
  expect(collectTag('b=x=y', { a: '1' })).toEqual({ a: '1', b: 'x=y' });
  expect(collectTag('a=', { a: '1' })).toEqual({ a: '' });
});

test('--tag for a search: repeated name=value matches any of the values, name!=value none of them', () => {
  expect(collectFilter('a=1')).toEqual({ a: { in: ['1'] } });
  expect(collectFilter('a=2', collectFilter('a=1'))).toEqual({ a: { in: ['1', '2'] } });
  expect(collectFilter('b!=1', collectFilter('a=1'))).toEqual({ a: { in: ['1'] }, b: { not: ['1'] } });
  expect(collectFilter('b!=2', collectFilter('b!=1'))).toEqual({ b: { not: ['1', '2'] } });
  expect(collectFilter('a!=2', collectFilter('a=1'))).toEqual({ a: { in: ['1'], not: ['2'] } });
  expect(collectFilter('a=b!=c')).toEqual({ a: { in: ['b!=c'] } });
});

test('--tag for a search: a * is any value', () => {
  expect(collectFilter('a=*')).toEqual({ a: { exists: true } });
  expect(collectFilter('a!=*')).toEqual({ a: { exists: false } });
  expect(collectFilter('a!=1', collectFilter('a=*'))).toEqual({ a: { exists: true, not: ['1'] } });
});

test('a tag without a name or value is rejected', () => {
  for (const text of ['', 'a', '=1']) {
    expect(() => collectTag(text)).toThrow('Expected name=value.');
    expect(() => collectFilter(text)).toThrow('Expected name=value or name!=value.');
  }
  expect(() => collectFilter('!=1')).toThrow('Expected name=value or name!=value.');
});
