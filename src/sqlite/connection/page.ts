import { WaymarkError } from '../../domain/errors.js';
import type { Database } from './database.js';

export interface PageOptions {
  readonly size: number;
  readonly direction: 'asc' | 'desc';
  /** What the page before ended with. */
  readonly nextToken?: string | undefined;
}

/** A query whose rows have a `number`, its own, and `sorted`, what they are sorted by. */
export interface PageQuery {
  readonly select: string;
  readonly from: string;
  /** An expression over a row that is not null. */
  readonly sort: string;
  readonly number: string;
  readonly parameters: readonly unknown[];
}

/**
 * A page of rows by an expression, then by number: what is added or removed meanwhile shifts nothing. Throws
 * `INVALID_ARGUMENT` for a token of another query or none of ours.
 */
export function pageOf<Row extends { readonly number: number; readonly sorted: string | number }>(
  database: Database,
  { select, from, sort, number, parameters }: PageQuery,
  { size, direction, nextToken }: PageOptions,
): { rows: Row[]; nextToken?: string } {
  const after = nextToken === undefined ? undefined : parseToken(nextToken, { begin: [sort, direction], length: 4 });
  const sign = direction === 'asc' ? '>' : '<';
  const rows = database
    .prepare<unknown[], Row>(
      `SELECT ${select}, ${number} AS number, ${sort} AS sorted FROM ${from}
       ${after ? `AND (${sort}, ${number}) ${sign} (?, ?)` : ''}
       ORDER BY sorted ${direction}, number ${direction} LIMIT ?`,
    )
    .all(...parameters, ...(after ?? []), size + 1);
  const page = rows.slice(0, size);
  const last = page.at(-1);
  if (rows.length <= size || !last) return { rows: page };
  return { rows: page, nextToken: tokenOf([sort, direction, last.sorted, last.number]) };
}

/** Opaque to callers; base64url, because a raw `+` is a blank in a URL. */
export function tokenOf(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The parts of a token of so many, behind those that it must begin with. Throws `INVALID_ARGUMENT`. */
export function parseToken(
  token: string,
  { begin, length }: { begin: readonly string[]; length: number },
): (string | number)[] {
  const parts = readJson(Buffer.from(token, 'base64url').toString());
  const own = Array.isArray(parts) && parts.length === length && begin.every((part, i) => parts[i] === part);
  const rest: unknown[] = own ? parts.slice(begin.length) : [];
  if (own && rest.every(isPart)) return rest;
  throw noToken();
}

function isPart(part: unknown): part is string | number {
  return typeof part === 'string' || Number.isSafeInteger(part);
}

export function noToken(): WaymarkError {
  return new WaymarkError(
    'INVALID_ARGUMENT',
    'nextToken is none that this list gave: ask for the first page without it, and with the same order.',
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
