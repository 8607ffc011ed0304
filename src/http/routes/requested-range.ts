import type { StoredContent } from '../../index.js';

/** Bytes from `start` to before `end`. */
type Range = NonNullable<Parameters<StoredContent['read']>[0]>;

/** One range of bytes. The names of units have no case. */
const RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * The part of a content of `size` bytes that a `Range` header asks for; `unsatisfiable` if the content has no byte of
 * it. Undefined if the answer is the whole: for what RFC 9110 lets a server ignore, such as several ranges, other units
 * and ranges that end before they begin, and for last bytes that are all of the content.
 */
export function requestedRange(header: string, size: number): Range | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = RANGE.exec(header) ?? [];
  if (first === '') {
    if (last === '') return undefined;
    if (Number(last) === 0) return 'unsatisfiable';
    return Number(last) < size ? { start: size - Number(last), end: size } : undefined;
  }
  const [start, end] = [Number(first), last === '' ? size : Number(last) + 1];
  if (end <= start && last !== '') return undefined;
  return start < size ? { start, end: Math.min(end, size) } : 'unsatisfiable';
}
