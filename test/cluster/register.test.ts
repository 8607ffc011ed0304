import { expect, test } from 'vitest';
import { type Operation, violations } from './register.js';

type Times = readonly [begin: number, end: number];

function write(value: string | undefined, [begin, end]: Times, hasFailed = false): Operation {
  return { kind: 'write', key: 'k', value, begin, end, hasFailed };
}

function read(value: string | undefined, [begin, end]: Times): Operation {
  return { kind: 'read', key: 'k', value, begin, end };
}

const GOOD: Readonly<Record<string, readonly Operation[]>> = {
  'nothing is read before anything is written': [read(undefined, [0, 1])],
  'the last value is read': [write('a', [0, 1]), write('b', [2, 3]), read('b', [4, 5])],
  'one of two concurrent writes is read': [write('a', [0, 3]), write('b', [1, 2]), read('a', [4, 5])],
  'the other of two concurrent writes is read': [write('a', [0, 3]), write('b', [1, 2]), read('b', [4, 5])],
  'a value is read while it is written': [write('a', [0, 9]), read('a', [1, 2]), read('a', [3, 4])],
  'a value that is being written is not read yet': [write('a', [0, 9]), read(undefined, [1, 2]), read('a', [3, 4])],
  'the value of a failed write is read': [write('a', [0, 1]), write('b', [2, 3], true), read('b', [4, 5])],
  'a failed write never takes effect': [write('a', [0, 1]), write('b', [2, 3], true), read('a', [4, 5])],
  'a failed write happens later': [write('a', [0, 1], true), write('b', [2, 3]), read('b', [4, 5]), read('a', [6, 7])],
  'nothing is read after a removal': [write('a', [0, 1]), write(undefined, [2, 3]), read(undefined, [4, 5])],
};

const BAD: Readonly<Record<string, readonly Operation[]>> = {
  'an acknowledged value is lost': [write('a', [0, 1]), read(undefined, [2, 3])],
  'a value comes back that was replaced': [write('a', [0, 1]), write('b', [2, 3]), read('a', [4, 5])],
  'a removed value comes back': [write('a', [0, 1]), write(undefined, [2, 3]), read('a', [4, 5])],
  'a value is read that nobody wrote': [write('a', [0, 1]), read('a b', [2, 3])],
  'a value is read before it is written': [read('a', [0, 1]), write('a', [2, 3])],
  'two reads in turn see two states': [write('a', [0, 3]), write('b', [1, 2]), read('a', [4, 5]), read('b', [6, 7])],
  'an older value is read after a newer one': [
    write('a', [0, 1]),
    write('b', [2, 9]),
    read('b', [3, 4]),
    read('a', [5, 6]),
  ],
  'a value returns after a write that failed': [
    write('a', [0, 1]),
    write('b', [2, 3]),
    write('c', [4, 5], true),
  ].concat(read('a', [6, 7])),
};

test.each(Object.entries(GOOD))('in a history of a register, it is possible that %s', (_, history) => {
  expect(violations(history)).toEqual([]);
  expect(violations([...history].reverse())).toEqual([]);
});

test.each(Object.entries(BAD))('in a history of a register, it is a violation that %s', (_, history) => {
  expect(violations(history)).toEqual(['k']);
  expect(violations([...history].reverse())).toEqual(['k']);
});

test('each key is a register of its own, and failed reads prove nothing', () => {
  const other = { ...write('b', [2, 3]), key: 'other' };
  expect(violations([write('a', [0, 1]), other, read('a', [4, 5])])).toEqual([]);
  expect(violations([write('a', [0, 1]), { ...read(undefined, [2, 3]), hasFailed: true }])).toEqual([]);
});

test('long histories of concurrent operations are decided', () => {
  const writes = Array.from({ length: 40 }, (_, i) => write(`${i}`, [i, i + 3]));
  expect(violations([...writes, read('38', [50, 51])])).toEqual([]);
  expect(violations([...writes, read('30', [50, 51])])).toEqual(['k']);
});
