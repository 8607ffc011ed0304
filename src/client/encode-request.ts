import { CONTENT_ROUTE } from '../contract/byte-routes.js';
import { type HttpOperation, hasBody, placeOf } from '../contract/operation.js';
import { OPERATIONS } from '../contract/operations/index.js';
import { WaymarkError } from '../domain/errors.js';
import { type QueryValue, queryString } from './query-string.js';

/** A validated request, encoded for HTTP. */
export interface EncodedRequest {
  /** Percent-encoded path, with the query if there is one. */
  readonly target: string;
  /** Fields that travel in headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
}

/**
 * Distributes a request over path, headers, query and body. Throws `INVALID_ARGUMENT` for a name that no path or header
 * can hold.
 */
export function encodeRequest(operation: HttpOperation, request: object): EncodedRequest {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, field: string, start: number) => {
    const name = String((request as Record<string, unknown>)[field]);
    return segment(name, { field, isTaken: literalsAfter(operation.path.slice(0, start)).has(name) });
  });
  const fieldsIn = (place: 'header' | 'query' | 'body') =>
    Object.fromEntries(Object.entries(request).filter(([field]) => placeOf(operation, field) === place));
  const headers = headersOf(operation, fieldsIn('header'));
  if (hasBody(operation.method)) return { target: path, headers, body: JSON.stringify(fieldsIn('body')) };
  const query = queryString(fieldsIn('query') as Record<string, QueryValue>);
  return { target: query === '' ? path : `${path}?${query}`, headers };
}

/** Headers hold ASCII: bots are named by their ids over HTTP. */
function headersOf({ requestHeaders = {} }: HttpOperation, fields: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([field, value]) => {
      if (/^[\x21-\x7e]+$/.test(String(value))) return [requestHeaders[field] ?? field, String(value)];
      const message = `${field} must be an id over HTTP; it is ${JSON.stringify(value)}.`;
      throw new WaymarkError('INVALID_ARGUMENT', message);
    }),
  );
}

/** Names that routes use literally after a prefix: `search` and `tags` after `/v1/files/`. */
function literalsAfter(prefix: string): Set<string | undefined> {
  const below = [...Object.values(OPERATIONS), CONTENT_ROUTE].filter(({ path }) => path.startsWith(prefix));
  const segments = below.map(({ path }) => path.slice(prefix.length).split('/')[0]);
  return new Set(segments.filter((segment) => !segment?.startsWith('{')));
}

/** What to do about a name that cannot be part of a path, by field. */
const NEXT: Readonly<Record<string, string>> = {
  tag: 'list its values in process, or rename it',
  destinationKey: 'choose another key',
};

/** URLs resolve `.` and `..` as folders, even if percent-encoded, and cannot encode a lone surrogate. */
function segment(name: string, { field, isTaken }: { field: string; isTaken: boolean }): string {
  if (!isTaken && name !== '.' && name !== '..' && name.isWellFormed()) return encodeURIComponent(name);
  const next = NEXT[field] ?? 'use an id instead';
  throw new WaymarkError(
    'INVALID_ARGUMENT',
    `${field} cannot be ${JSON.stringify(name)} over HTTP, which reserves that name in paths: ${next}.`,
  );
}
