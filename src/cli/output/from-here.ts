import path from 'node:path';

/** A path as a person in the working folder types it; `.` for that folder itself. */
export function fromHere(place: string): string {
  return path.relative('', place) || '.';
}
