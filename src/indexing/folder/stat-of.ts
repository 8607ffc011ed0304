import { type Stats, statSync } from 'node:fs';

/** What is at a path; undefined if there is nothing, or if it cannot be read. */
export function statOf(place: string): Stats | undefined {
  const found = statOrUnreadable(place);
  return found === 'unreadable' ? undefined : found;
}

/**
 * What is at a path; undefined if there is nothing, as for a path below a file or in a loop of links. `unreadable` if
 * the system refuses to tell, as for a path in a folder without search permission.
 */
export function statOrUnreadable(place: string): Stats | 'unreadable' | undefined {
  try {
    return statSync(place, { throwIfNoEntry: false });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOTDIR' || code === 'ELOOP' ? undefined : 'unreadable';
  }
}
