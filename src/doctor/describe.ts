import { reasonOf, WaymarkError } from '../domain/errors.js';

/** Names listed in one sentence at most. */
const LISTED = 5;

/** `a, b and 3 more` */
export function listed(names: readonly string[]): string {
  const rest = names.length - LISTED;
  return rest > 0 ? `${names.slice(0, LISTED).join(', ')} and ${rest} more` : names.join(', ');
}

/** `is` or `are` */
export function be(count: number): string {
  return count === 1 ? 'is' : 'are';
}

/** SQLite's own message, which a `WaymarkError` has as its cause. */
export function sqliteMessage(error: unknown): string {
  return reasonOf(error instanceof WaymarkError ? error.cause : error);
}
