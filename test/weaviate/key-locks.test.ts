import { expect, test } from 'vitest';
import { KeyLocks } from '#src/weaviate/records/key-locks.js';

test('work waits for all earlier work for any of its keys, and for no other', async () => {
  const locks = new KeyLocks();
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const ended: string[] = [];
  const run = (name: string, ...keys: string[]) =>
    locks.run(keys, async () => {
      if (name === 'first') await held;
      ended.push(name);
    });
  const all = [run('first', 'a'), run('moved', 'a', 'b'), run('second', 'b'), run('other', 'c')];
  await all[3];
  expect(ended).toEqual(['other']);
  letGo();
  await Promise.all(all);
  expect(ended).toEqual(['other', 'first', 'moved', 'second']);
});

test('work is done even if the work before it failed', async () => {
  const locks = new KeyLocks();
  const failing = locks.run(['a', 'b'], async () => Promise.reject(new Error('first')));
  const next = locks.run(['b', 'a'], async () => 'second');
  await expect(failing).rejects.toThrow('first');
  expect(await next).toBe('second');
});
