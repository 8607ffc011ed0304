import type { Passage, Subtype } from '../../domain/passage.js';
import { damagedPart, rowChecksum } from '../connection/checksums.js';
import type { Connection } from '../connection/connection.js';
import { storedJson } from '../connection/stored-json.js';
import type { FileTexts } from '../texts/file-texts.js';

/** The columns of a passage. */
export interface PassageRow {
  readonly number: number;
  readonly file: number;
  readonly id: string;
  readonly position: number;
  readonly start: number;
  readonly end: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly breadcrumb: string;
  readonly subtype: Subtype;
  readonly length: number;
  readonly page: number | null;
  readonly opening: string | null;
  readonly closing: string | null;
  readonly embedding: number;
  readonly checksum: number | null;
}

/** The columns of a `PassageRow`. */
export const PASSAGE = `passages.number, passages.id, file, position, start, "end", start_line AS startLine,
  end_line AS endLine, breadcrumb, subtype, length, page, opening, closing, embedding, passages.checksum`;

/** The checksum of everything that a search reads of a passage. */
export function passageChecksum(row: Omit<PassageRow, 'number' | 'checksum'>): number {
  const { id, file, position, start, end, startLine, endLine, breadcrumb, subtype, length, page, embedding } = row;
  const place = [id, file, position, start, end, startLine, endLine];
  const { opening, closing } = row;
  // Rows of earlier versions have neither, and keep their checksum.
  const frame = opening === null && closing === null ? [] : [opening, closing];
  return rowChecksum([...place, breadcrumb, subtype, length, page, embedding, ...frame]);
}

/**
 * The passage of a row, cut from its file's text. Throws `DATABASE_DAMAGED` for a row or a text that is not as it was
 * written.
 */
export function passageOf(connection: Connection, row: PassageRow, texts: FileTexts): Passage {
  const name = () => {
    const sql = `SELECT key FROM files WHERE number = ?`;
    return `Passage ${row.position} of ${connection.prepare<[number], string>(sql).pluck().get(row.file)}`;
  };
  if (row.checksum !== null && row.checksum !== passageChecksum(row)) throw damagedPart(name());
  const { start, end, page, opening, closing } = row;
  const content = texts.slice(row.file, start, end);
  return {
    id: row.id,
    content,
    display: `${opening ?? ''}${content}${closing ?? ''}`,
    breadcrumb: storedJson(row.breadcrumb, { shape: 'texts', part: name }),
    subtype: row.subtype,
    position: row.position,
    start,
    end,
    startLine: row.startLine,
    endLine: row.endLine,
    ...(opening !== null && { opening }),
    ...(closing !== null && { closing }),
    ...(page !== null && { pageNumber: page }),
  };
}
