import { expect, test } from 'vitest';
import { Semaphore } from '#src/http/connections/semaphore.js';

test('if the caller of waiting work has gone, the next work of the same owner may wait', async () => {
  const semaphore = new Semaphore(1);
  const { signal } = new AbortController();
  const caller = new AbortController();
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const running = semaphore.tryRun(() => held, { owner: 'a', signal });
  const waiting = semaphore.tryRun(async () => 'first', { owner: 'b', signal: caller.signal });
  caller.abort(new Error('The caller has gone.'));
  await expect(waiting).rejects.toThrow('The caller has gone.');
  const next = semaphore.tryRun(async () => 'next', { owner: 'b', signal });
  letGo();
  await running;
  expect(await next).toEqual({ done: 'next' });
  expect(semaphore.running).toBe(0);
});
