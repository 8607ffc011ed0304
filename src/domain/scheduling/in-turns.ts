import { setImmediate } from 'node:timers/promises';

/** Items, with a turn of the event loop between each two. */
export async function* inTurns<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let isFirst = true;
  for (const item of items) {
    if (!isFirst) await setImmediate();
    isFirst = false;
    yield item;
  }
}
