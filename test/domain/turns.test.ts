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

test('after a piece of work, however long it is, the event loop has turns for new connections', async () => {
  const turns = new Turns();
  await turns.next('a');
  const next = turns.next('b');
  const end = performance.now() + 5;
  while (performance.now() < end);
  let passed = 0;
  let isOver = false;
  void next.then(() => {
    isOver = true;
  });
  for (; !isOver; passed += 1) await setImmediate();
  expect(passed).toBeGreaterThanOrEqual(2);
});

test('work that is aborted while it waits takes no turn', async () => {
  const turns = new Turns();
  const stop = new AbortController();
  const began: string[] = [];
  const next = async (piece: string, signal?: AbortSignal) => {
    await turns.next(piece.charAt(0), signal);
    began.push(piece);
  };
  const aborted = ['a1', 'a2', 'a3'].map((piece) => next(piece, stop.signal));
  const others = ['a4', 'b1', 'a5'].map((piece) => next(piece));
  stop.abort();
  for (const piece of aborted) await expect(piece).rejects.toMatchObject({ code: 'ABORTED' });
  await Promise.all(others);
  expect(began).toEqual(['a4', 'b1', 'a5']);
});
