import { decodeCursor, encodeCursor } from '../../domain/cursor.js';
import type { Page, PageRequest } from '../../storage/page.js';
import { byteOrder } from './byte-order.js';

/** How items are sorted; those that it leaves equal are sorted by their ids. */
export interface Order<Item> {
  /** Names the list and its order in cursors, such as `files.createdAt`. */
  readonly sort: string;
  readonly sortedBy: (item: Item) => string | number;
  readonly idOf: (item: Item) => string;
}

/** The position of an item in an order. */
type Position = readonly [value: string | number, id: string];

/** The position in a cursor; undefined for the first page. Throws `INVALID_ARGUMENT` for a cursor of another list. */
function positionAfter(sort: string, { direction, nextToken }: PageRequest): Position | undefined {
  if (nextToken === undefined) return undefined;
  const [value, id] = decodeCursor(nextToken, { prefix: [sort, direction], length: 4 });
  return [value as string | number, String(id)];
}

/**
 * A page of items that are all in memory. Adding or removing items between two requests shifts no other item to another
 * page. Throws `INVALID_ARGUMENT` for a cursor of another list.
 */
export function pageOf<Item>(items: readonly Item[], order: Order<Item>, page: PageRequest): Page<Item> {
  const { sort, sortedBy, idOf } = order;
  const { size, direction } = page;
  const sign = direction === 'asc' ? 1 : -1;
  const positionOf = (item: Item): Position => [sortedBy(item), idOf(item)];
  const after = positionAfter(sort, page);
  const rest = items
    .map((item) => ({ item, position: positionOf(item) }))
    .filter(({ position }) => !after || sign * compare(position, after) > 0)
    .sort((a, b) => sign * compare(a.position, b.position));
  const last = rest[size - 1];
  const shown = rest.slice(0, size).map(({ item }) => item);
  if (rest.length <= size || !last) return { items: shown };
  return { items: shown, nextToken: encodeCursor([sort, direction, ...last.position]) };
}

function compare([a, aId]: Position, [b, bId]: Position): number {
  if (a === b) return byteOrder(aId, bId);
  return typeof a === 'string' && typeof b === 'string' ? byteOrder(a, b) : Number(a) - Number(b);
}
