import { expect, test } from 'vitest';
import { embeddedBreadcrumb } from '#src/formats/cutting/embedded-breadcrumb.js';
import { countWords } from '../markdown/counting.js';

/** The breadcrumb `a b > c d > e f` as it is embedded. */
function crumbs(maxTokens: number): string {
  return embeddedBreadcrumb(['a b', 'c d', 'e f'], { maxTokens, countTokens: countWords });
}

test('a breadcrumb is embedded in one line, outermost heading first', () => {
  expect(crumbs(10)).toBe('a b > c d > e f');
});

test('a longer breadcrumb loses its outermost headings', () => {
  expect(crumbs(9)).toBe('c d > e f');
  expect(crumbs(6)).toBe('e f');
});

test('a single heading keeps as many words as fit', () => {
  expect(crumbs(3)).toBe('e');
  expect(crumbs(2)).toBe('');
});

test('no headings give an empty text', () => {
  expect(embeddedBreadcrumb([], { maxTokens: 10, countTokens: countWords })).toBe('');
});
