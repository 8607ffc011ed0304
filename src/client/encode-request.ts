import { type HttpOperation, placeOf } from '../contract/operation.js';
import { OPERATIONS } from '../contract/operations/index.js';
import { WaymarkError } from '../domain/errors.js';
import { type QueryValue, queryString } from './query-string.js';

/** A validated request, encoded for HTTP. */
export interface EncodedRequest {
  /** Percent-encoded path, with the query if there is one. */
  readonly target: string;
  /** JSON. */
  readonly body?: string;
}

/** Distributes a request over path, query and body. Throws `INVALID_ARGUMENT` for a name that no path can hold. */
export function encodeRequest(operation: HttpOperation, request: object): EncodedRequest {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, field: string, start: number) => {
    const name = String((request as Record<string, unknown>)[field]);
    return segment(name, { field, isTaken: literalsAfter(operation.path.slice(0, start)).has(name) });
  });
  const fieldsIn = (place: 'query' | 'body') =>
    Object.fromEntries(Object.entries(request).filter(([field]) => placeOf(operation, field) === place));
  if (operation.method === 'PUT') return { target: path, body: JSON.stringify(fieldsIn('body')) };
  const query = queryString(fieldsIn('query') as Record<string, QueryValue>);
  return { target: query === '' ? path : `${path}?${query}` };
}

/** Names that routes use literally after a prefix: `search` and `tags` after `/v1/files/`. */
function literalsAfter(prefix: string): Set<string | undefined> {
  const below = Object.values(OPERATIONS).filter(({ path }) => path.startsWith(prefix));
  const segments = below.map(({ path }) => path.slice(prefix.length).split('/')[0]);
  return new Set(segments.filter((segment) => !segment?.startsWith('{')));
}

/** URLs resolve dots as folders, even percent-encoded, and have no bytes for a lone surrogate. */
function segment(name: string, { field, isTaken }: { field: string; isTaken: boolean }): string {
  if (!isTaken && name !== '.' && name !== '..' && name.isWellFormed()) return encodeURIComponent(name);
  throw new WaymarkError(
    'INVALID_ARGUMENT',
    `${field} cannot be ${JSON.stringify(name)} over HTTP, which reserves that name in paths: use an id instead.`,
  );
}
