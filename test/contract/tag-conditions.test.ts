import { expect, test } from 'vitest';
import { tagFilterOf } from 'waymark';

test('conditions on one name match any of its values, and none of its negated values', () => {
  expect(tagFilterOf([])).toEqual({});
  expect(tagFilterOf(['a=1'])).toEqual({ a: { in: ['1'] } });
  expect(tagFilterOf(['a=1', 'a=2'])).toEqual({ a: { in: ['1', '2'] } });
  expect(tagFilterOf(['a=1', 'b!=1', 'b!=2'])).toEqual({ a: { in: ['1'] }, b: { not: ['1', '2'] } });
  expect(tagFilterOf(['a=1', 'a!=2'])).toEqual({ a: { in: ['1'], not: ['2'] } });
  expect(tagFilterOf(['a=b!=c'])).toEqual({ a: { in: ['b!=c'] } });
});

test('a * matches any value', () => {
  expect(tagFilterOf(['a=*'])).toEqual({ a: { exists: true } });
  expect(tagFilterOf(['a!=*'])).toEqual({ a: { exists: false } });
  expect(tagFilterOf(['a=*', 'a!=1'])).toEqual({ a: { exists: true, not: ['1'] } });
});

test.each(['', 'a', '=1', '!=1'])('a condition without a name or value is refused: %j', (condition) => {
  expect(() => tagFilterOf([condition])).toThrow(
    `A tag is given as name=value or name!=value; this one is ${JSON.stringify(condition)}.`,
  );
});

test('a tag cannot be both required and excluded, and conditions must be a list', () => {
  expect(() => tagFilterOf(['a=*', 'b=1', 'a!=*'])).toThrow('a=* and a!=* exclude each other: leave one of them out.');
  expect(() => tagFilterOf(5 as unknown as string[])).toThrow('Conditions must be a list of texts; they are 5.');
});
