import type { Passage } from '../../domain/passage.js';
import type { Window } from '../../storage/retrieval.js';
import type { Connection } from '../connection/connection.js';
import { FileTexts } from '../files/file-texts.js';
import { PASSAGE, type PassageRow, passageOf } from './passage-row.js';

/** Positions of a file's passages, inclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Reads consecutive passages of files. Call every method in a transaction. All throw `DATABASE_DAMAGED`. */
export class Windows {
  readonly #connection: Connection;
  readonly #texts: FileTexts;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#texts = new FileTexts(connection);
  }

  /** The passages of a file at some positions. */
  passages(file: number, { from, to }: Range): Passage[] {
    const sql = `SELECT ${PASSAGE} FROM passages WHERE file = ? AND position BETWEEN ? AND ? ORDER BY position`;
    const rows = this.#connection.cached<[number, number, number], PassageRow>(sql).all(file, from, to);
    if (rows.length === 0) return [];
    const text = this.#texts.of(file);
    return rows.map((row) => passageOf(this.#connection, row, text));
  }

  /**
   * The passages of a file at some positions, each with its neighbours, by position. The text and each passage are read
   * and checked once, however many windows share them.
   */
  around(
    file: number,
    { positions, context }: { readonly positions: readonly number[]; readonly context: number },
  ): Map<number, Window> {
    const rows = this.#rows(file, { positions, context });
    const text = this.#texts.of(file);
    const made = new Map<number, Passage>();
    const windowAround = (position: number): Window => {
      const passages: Passage[] = [];
      for (let at = position - context; at <= position + context; at++) {
        const row = rows.get(at);
        if (!row) continue;
        const passage = made.get(at) ?? passageOf(this.#connection, row, text);
        made.set(at, passage);
        passages.push(passage);
      }
      const [first, last] = [passages[0], passages.at(-1)];
      const end = rows.get(position + context + 1)?.start ?? last?.end;
      return { text: text.slice(first?.start, end), passages };
    };
    return new Map(positions.map((position) => [position, windowAround(position)]));
  }

  /** The rows of all windows, by position. */
  #rows(
    file: number,
    { positions, context }: { readonly positions: readonly number[]; readonly context: number },
  ): Map<number, PassageRow> {
    const wanted = new Set<number>();
    for (const position of positions) {
      // One passage more than is returned: the text ends where it starts.
      for (let at = position - context; at <= position + context + 1; at++) wanted.add(at);
    }
    const sql = `SELECT ${PASSAGE} FROM passages
      WHERE file = ? AND position IN (SELECT value FROM json_each(?))`;
    const rows = this.#connection.cached<[number, string], PassageRow>(sql).all(file, JSON.stringify([...wanted]));
    return new Map(rows.map((row) => [row.position, row]));
  }
}
