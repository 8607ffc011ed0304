import type { Connection } from '../../sqlite/connection/connection.js';
import { createPostings } from '../../sqlite/postings/posting-table.js';
import type { RecutFile } from '../recut-files.js';
import { type PostingDigests, readPostings } from './posting-digests.js';

/** Compares stored postings with those of the texts, one file at a time. */
export class PostingsComparison {
  readonly #connection: Connection;
  /** The postings that no file has accounted for yet. */
  readonly #unseen: Map<number, string>;
  #differing = 0;

  constructor(connection: Connection, stored: PostingDigests) {
    this.#connection = connection;
    this.#unseen = new Map(stored);
    connection.exec(`DROP TABLE IF EXISTS temp.expected; ${createPostings('temp.expected')}`);
  }

  /** Compares a file whose stored passages match its text. */
  compare({ number, file }: RecutFile): void {
    const passages = this.#passagesOf(number);
    const put = this.#connection.prepare(`INSERT INTO temp.expected (rowid, breadcrumb, text) VALUES (?, ?, ?)`);
    this.#connection.read(() => {
      this.#connection.exec(`INSERT INTO temp.expected (expected) VALUES ('delete-all')`);
      for (const [i, { postings }] of file.passages.entries()) put.run(passages[i], postings.breadcrumb, postings.text);
    });
    for (const [passage, digest] of readPostings(this.#connection, { schema: 'temp', table: 'expected' })) {
      if (this.#unseen.get(passage) !== digest) this.#differing++;
      this.#unseen.delete(passage);
    }
  }

  /** Skips a file whose passages cannot be compared. */
  skip(file: number): void {
    for (const passage of this.#passagesOf(file)) this.#unseen.delete(passage);
  }

  /** The number of passages with wrong or missing postings, and of postings without a passage. */
  differing(): number {
    return this.#differing + this.#unseen.size;
  }

  close(): void {
    this.#connection.exec(`DROP TABLE IF EXISTS temp.expected`);
  }

  #passagesOf(file: number): number[] {
    return this.#connection
      .prepare<[number], number>(`SELECT number FROM passages WHERE file = ? ORDER BY position`)
      .pluck()
      .all(file);
  }
}
