import { WaymarkError } from './errors.js';

type Part = string | number;

/**
 * A cursor for the next page of a list. Callers treat it as opaque; base64url, because a raw `+` is a space in a URL.
 */
export function encodeCursor(parts: readonly Part[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * Decodes a cursor of `length` parts and returns those after `prefix`, which names the list that it belongs to. Throws
 * `INVALID_ARGUMENT` for a cursor of another list, or for anything else.
 */
export function decodeCursor(
  cursor: string,
  { prefix, length }: { readonly prefix: readonly string[]; readonly length: number },
): Part[] {
  const parts = parseJson(Buffer.from(cursor, 'base64url').toString());
  const matches = Array.isArray(parts) && parts.length === length && prefix.every((part, i) => parts[i] === part);
  const rest: unknown[] = matches ? parts.slice(prefix.length) : [];
  if (matches && rest.every(isPart)) return rest;
  throw invalidCursor();
}

/** The error for a cursor that no list returned. */
export function invalidCursor(): WaymarkError {
  return new WaymarkError('INVALID_ARGUMENT', 'Invalid nextToken: start again from the first page, in the same order.');
}

function isPart(part: unknown): part is Part {
  return typeof part === 'string' || Number.isSafeInteger(part);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
