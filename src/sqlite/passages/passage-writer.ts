import { passageIds } from '../../storage/ids/passage-ids.js';
import type { PassageToPut } from '../../storage/passage-store.js';
import type { Connection } from '../connection/connection.js';
import type { Embeddings } from '../embeddings/embeddings.js';
import type { Postings } from '../postings/postings.js';
import { type PassageRow, passageChecksum } from './passage-row.js';

/** A file's row number and id. */
export interface FileNumber {
  readonly number: number;
  readonly id: string;
}

type OldPassage = Pick<PassageRow, 'number' | 'id' | 'position' | 'embedding' | 'breadcrumb' | 'subtype' | 'length'>;

/** The new postings of a passage; missing if its postings are to be removed. */
interface PostingChange {
  readonly passage: number;
  readonly postings?: PassageToPut['postings'];
}

/** Passages read and deleted at a time: about a millisecond. */
const PAGE = 128;

/**
 * Writes the passages of files, with their postings and embeddings. Call every method in a transaction; a method yields
 * where a long transaction may let other work go on.
 */
export class PassageWriter {
  readonly #connection: Connection;
  readonly #embeddings: Embeddings;
  readonly #postings: Postings;

  constructor(connection: Connection, { embeddings, postings }: { embeddings: Embeddings; postings: Postings }) {
    this.#connection = connection;
    this.#embeddings = embeddings;
    this.#postings = postings;
  }

  /**
   * Replaces the passages of a file. A passage of the same text keeps its number. With `keepPostings` it also keeps
   * its postings: pass it if the text is the same and only the model differs.
   */
  *replace(
    file: FileNumber,
    passages: readonly PassageToPut[],
    { keepPostings = false }: { readonly keepPostings?: boolean } = {},
  ): Generator<void> {
    yield* this.#postings.change(() => this.#replace(file, { passages, keepPostings }));
  }

  /** Removes the passages of a file. Call it before the file's row is deleted. */
  *removeAll(file: number): Generator<void> {
    const old = yield* this.#take(file);
    const changes = old.map(({ number }) => ({ passage: number }));
    yield* this.#postings.change(() => this.#changePostings(changes));
    for (const { number, embedding } of old) {
      this.#embeddings.logChange(number, false);
      this.#embeddings.remove(embedding);
      yield;
    }
  }

  *#replace(
    file: FileNumber,
    { passages, keepPostings }: { passages: readonly PassageToPut[]; keepPostings: boolean },
  ): Generator<void> {
    const old = yield* this.#take(file.number);
    const unseen = new Map(old.map((row) => [row.id, row]));
    const replaced: number[] = [];
    const changes: PostingChange[] = [];
    const insert = this.#connection.cached<[object]>(
      `INSERT INTO passages (number, id, file, position, start, "end", start_line, end_line, breadcrumb, subtype,
                             length, page, opening, closing, embedding, checksum)
       VALUES (@number, @id, @file, @position, @start, @end, @startLine, @endLine, @breadcrumb, @subtype, @length,
               @page, @opening, @closing, @embedding, @checksum)`,
    );
    const idOf = passageIds(file.id);
    for (const passage of passages) {
      yield;
      const embedding = this.#embeddings.ensure(passage.text);
      const id = idOf(passage.text);
      const former = unseen.get(id);
      const before = former && keepsNumber(former, passage) ? former : undefined;
      if (before) unseen.delete(id);
      const { postings, text: _, ...columns } = passage;
      const breadcrumb = JSON.stringify(passage.breadcrumb);
      const place = { id, file: file.number, embedding: embedding.number };
      const { page = null, opening = null, closing = null } = passage;
      const row = { ...columns, ...place, page, opening, closing, breadcrumb };
      const checksum = passageChecksum(row);
      const inserted = Number(insert.run({ ...row, number: before?.number ?? null, checksum }).lastInsertRowid);
      if (!keepPostings || before?.breadcrumb !== breadcrumb) changes.push({ passage: inserted, postings });
      if (before?.embedding === embedding.number) continue;
      if (before || embedding.embedded) this.#embeddings.logChange(inserted, embedding.embedded);
      // The same text, embedded with another model.
      if (before) replaced.push(before.embedding);
    }
    for (const embedding of replaced) {
      this.#embeddings.release(embedding);
      yield;
    }
    for (const { number, embedding } of unseen.values()) {
      yield;
      changes.push({ passage: number });
      this.#embeddings.logChange(number, false);
      // Its text may have moved to a file that is read later in this run.
      this.#embeddings.release(embedding);
    }
    yield* this.#changePostings(changes);
  }

  /** Changes postings in ascending order of passages. In any other order, FTS5 would write a segment for each row. */
  *#changePostings(changes: PostingChange[]): Generator<void> {
    changes.sort((a, b) => a.passage - b.passage);
    for (const { passage, postings } of changes) {
      yield;
      if (postings) this.#postings.put(passage, postings);
      else this.#postings.remove(passage);
    }
  }

  /** Deletes the rows of a file's passages and returns them. */
  *#take(file: number): Generator<void, OldPassage[]> {
    const select = this.#connection.cached<[number, number, number], OldPassage>(
      `SELECT number, id, position, embedding, breadcrumb, subtype, length FROM passages WHERE file = ? AND position > ?
       ORDER BY position LIMIT ?`,
    );
    const remove = this.#connection.cached<[number, number]>(`DELETE FROM passages WHERE file = ? AND position <= ?`);
    const taken: OldPassage[] = [];
    for (let last = Number.MIN_SAFE_INTEGER; ; ) {
      const page = select.all(file, last, PAGE);
      last = page.at(-1)?.position ?? last;
      if (page.length > 0) remove.run(file, last);
      for (const passage of page) taken.push(passage);
      if (page.length < PAGE) break;
      yield;
    }
    return taken;
  }
}

/** Whether a passage of the same text keeps its number. `PassageFeatures` caches these fields by number, forever. */
function keepsNumber(former: OldPassage, passage: PassageToPut): boolean {
  return former.subtype === passage.subtype && former.length === passage.length;
}
