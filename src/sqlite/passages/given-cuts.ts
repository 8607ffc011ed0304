import type { GivenCut } from '../../storage/staged-files.js';
import type { Connection } from '../connection/connection.js';

/** Where a caller has cut the text of a file, by its row number, in document order. */
export function givenCuts(connection: Connection, file: number): GivenCut[] {
  return connection
    .cached<[number], GivenCut>(`SELECT start, "end", subtype, page FROM passages WHERE file = ? ORDER BY position`)
    .all(file);
}
