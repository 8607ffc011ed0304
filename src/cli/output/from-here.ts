import path from 'node:path';

/**
 * A path as a person in the working folder types it; `.` for that folder itself. One that begins with a dash, which
 * commands would take for an option, begins with `./`.
 */
export function fromHere(place: string): string {
  const relative = path.relative('', place) || '.';
  return relative.startsWith('-') ? `.${path.sep}${relative}` : relative;
}
