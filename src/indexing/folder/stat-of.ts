import { type Stats, statSync } from 'node:fs';

/** What is at a path; undefined for what is not there, or cannot be reached: below a file, or in a loop of links. */
export function statOf(place: string): Stats | undefined {
  try {
    return statSync(place, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
