import type { Passage } from '../../domain/passage.js';
import type { Window } from '../../storage/retrieval.js';
import type { Connection } from '../connection/connection.js';
import { FileTexts } from '../texts/file-texts.js';
import { PASSAGE, type PassageRow, passageOf } from './passage-row.js';

/** Positions of a file's passages, inclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The number of a file, and the position of a passage in it. */
interface Place {
  readonly file: number;
  readonly position: number;
}

/** Reads consecutive passages of files. Call every method in a transaction. All throw `DATABASE_DAMAGED`. */
export class Windows {
  readonly #connection: Connection;
  readonly #texts: FileTexts;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#texts = new FileTexts(connection);
  }

  /** The text of a file. */
  text(file: number): string {
    return this.#texts.whole(file);
  }

  /** The passages of rows. */
  of(rows: readonly PassageRow[]): Passage[] {
    this.#texts.refresh();
    return rows.map((row) => passageOf(this.#connection, row, this.#texts));
  }

  /** The passages of a file at some positions. */
  passages(file: number, { from, to }: Range): Passage[] {
    const sql = `SELECT ${PASSAGE} FROM passages WHERE file = ? AND position BETWEEN ? AND ? ORDER BY position`;
    const rows = this.#connection.cached<[number, number, number], PassageRow>(sql).all(file, from, to);
    return this.of(rows);
  }

  /**
   * Passages with their neighbours, in the order given. Parts of texts and passages are read and checked once, even if
   * several windows share them.
   */
  around(places: readonly Place[], context: number): Window[] {
    const files = this.#rows(places, context);
    this.#texts.refresh();
    const passages = new Map<PassageRow, Passage>();
    const passageOnce = (row: PassageRow): Passage => {
      const passage = passages.get(row) ?? passageOf(this.#connection, row, this.#texts);
      passages.set(row, passage);
      return passage;
    };
    return places.map(({ file, position }) => {
      const rows = files.get(file);
      const shown: Passage[] = [];
      for (let at = position - context; at <= position + context; at++) {
        const row = rows?.get(at);
        if (row) shown.push(passageOnce(row));
      }
      const [first, last] = [shown[0], shown.at(-1)];
      if (!first || !last) return { text: '', passages: [] };
      const end = rows?.get(position + context + 1)?.start ?? last.end;
      return { text: this.#texts.slice(file, first.start, end), passages: shown };
    });
  }

  /** The rows of all windows, and one more after each, by file and position. */
  #rows(places: readonly Place[], context: number): Map<number, Map<number, PassageRow>> {
    const sql = `SELECT ${PASSAGE} FROM json_each(?) AS stretch CROSS JOIN passages
      ON file = stretch.value ->> 0 AND position BETWEEN stretch.value ->> 1 AND stretch.value ->> 2`;
    const rows = this.#connection.cached<[string], PassageRow>(sql).all(JSON.stringify(stretches(places, context)));
    const files = new Map<number, Map<number, PassageRow>>();
    for (const row of rows) {
      const ofFile = files.get(row.file) ?? new Map<number, PassageRow>();
      files.set(row.file, ofFile.set(row.position, row));
    }
    return files;
  }
}

/**
 * The file and the positions of each window, joined where they touch. Each ends one passage late: the text of a window
 * ends where the next passage starts.
 */
function stretches(places: readonly Place[], context: number): [file: number, from: number, to: number][] {
  const joined: [file: number, from: number, to: number][] = [];
  for (const { file, position } of [...places].sort((a, b) => a.file - b.file || a.position - b.position)) {
    const [from, to] = [position - context, position + context + 1];
    const last = joined.at(-1);
    if (last?.[0] === file && from <= last[2] + 1) last[2] = to;
    else joined.push([file, from, to]);
  }
  return joined;
}
