import { type Stats, statSync } from 'node:fs';

/** What is at a path; undefined for nothing, and for what no path can lead to: below a file, or in a loop of links. */
export function fileAt(place: string): Stats | undefined {
  try {
    return statSync(place, { throwIfNoEntry: false });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(code)) return undefined;
    throw error;
  }
}
