/** The items of a synchronous or an asynchronous iterable, as one kind of iterator. */
export async function* iterate<Item>(items: Iterable<Item> | AsyncIterable<Item>): AsyncGenerator<Item> {
  yield* items;
}
