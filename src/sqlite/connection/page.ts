import { decodeCursor, encodeCursor } from '../../domain/cursor.js';
import type { Page, PageRequest } from '../../storage/page.js';
import type { Connection } from './connection.js';

/** A query whose rows are paged by `sort`, then by `number`. */
export interface PageQuery {
  readonly select: string;
  /** A FROM clause with its WHERE clause. */
  readonly from: string;
  /** Names the list and its order in cursors. Defaults to `sort`. */
  readonly list?: string;
  /** An expression that is never null, with its table. */
  readonly sort: string;
  readonly number: string;
  readonly parameters: readonly unknown[];
}

/** The columns that paging adds to a row. */
export interface Paged {
  readonly number: number;
  readonly sorted: string | number;
}

/**
 * A page of rows. Adding or removing rows between two requests shifts no other row to another page. Throws
 * `INVALID_ARGUMENT` for a cursor of another query.
 */
export function pageOf<Row extends Paged>(
  connection: Connection,
  { select, from, sort, list = sort, number, parameters }: PageQuery,
  { size, direction, nextToken }: PageRequest,
): Page<Row> {
  const prefix = [list, direction];
  const after = nextToken === undefined ? undefined : decodeCursor(nextToken, { prefix, length: 4 });
  const sign = direction === 'asc' ? '>' : '<';
  const rows = connection
    .prepare<unknown[], Row>(
      `SELECT ${select}, ${number} AS number, ${sort} AS sorted FROM ${from}
       ${after ? `AND (${sort}, ${number}) ${sign} (?, ?)` : ''}
       ORDER BY sorted ${direction}, number ${direction} LIMIT ?`,
    )
    .all(...parameters, ...(after ?? []), size + 1);
  const items = rows.slice(0, size);
  const last = items.at(-1);
  if (rows.length <= size || !last) return { items };
  return { items, nextToken: encodeCursor([...prefix, last.sorted, last.number]) };
}
