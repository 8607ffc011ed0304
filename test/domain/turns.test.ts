import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Turns } from '#src/domain/scheduling/turns.js';

test('owners take turns, however many pieces of work each has', async () => {
  const turns = new Turns();
  const began: string[] = [];
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map(async (piece) => {
    await turns.next(piece.charAt(0));
    began.push(piece);
  });
  await Promise.all(all);
  expect(began).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4']);
});

test('between two pieces of work, the event loop has several turns for new connections', async () => {
  const turns = new Turns();
  const both = Promise.all([turns.next('a'), turns.next('b')]);
  await turns.next('c');
  let passed = 0;
  let isOver = false;
  void turns.next('d').then(() => {
    isOver = true;
  });
  for (; !isOver; passed += 1) await setImmediate();
  await both;
  expect(passed).toBeGreaterThanOrEqual(8);
});
