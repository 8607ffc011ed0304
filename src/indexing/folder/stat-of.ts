import { type Stats, statSync } from 'node:fs';

/** What is at a path; undefined for what is not there, or cannot be reached: below a file, or in a loop of links. */
export function statOf(place: string): Stats | undefined {
  const found = lookAt(place);
  return found === 'unreadable' ? undefined : found;
}

/** As `statOf`, which does not tell what may not be looked at, as in a folder of someone else, from what is gone. */
export function lookAt(place: string): Stats | 'unreadable' | undefined {
  try {
    return statSync(place, { throwIfNoEntry: false });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOTDIR' || code === 'ELOOP' ? undefined : 'unreadable';
  }
}
