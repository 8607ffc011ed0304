import type { DamagedFile, FileCopies, FileCopy, FileState, FileToCopy } from '../../storage/copies.js';
import type { Connection } from '../connection/connection.js';
import { fileState, fileStates } from '../files/file-states.js';
import { Files } from '../files/files.js';
import { uploadedContent } from '../files/stored-content.js';
import { drain } from '../passages/drain.js';
import { givenCuts } from '../passages/given-cuts.js';
import type { SqlitePassageStore } from '../passages/sqlite-passage-store.js';
import { FileTexts } from '../texts/file-texts.js';

/** The bot whose files are copied. */
export interface FileCopiesOf {
  /** The row number of the bot. */
  readonly bot: number;
  /** Its passages; undefined if it has no model, and no file of it was indexed. */
  readonly passages: SqlitePassageStore | undefined;
}

/** The files of a bot in SQLite, for copies of it. */
export class SqliteFileCopies implements FileCopies {
  readonly #connection: Connection;
  readonly #bot: number;
  readonly #passages: SqlitePassageStore | undefined;
  readonly #texts: FileTexts;

  constructor(connection: Connection, { bot, passages }: FileCopiesOf) {
    this.#connection = connection;
    this.#bot = bot;
    this.#passages = passages;
    this.#texts = new FileTexts(connection);
  }

  async *states(): AsyncGenerator<FileState | DamagedFile> {
    yield* fileStates(this.#connection, this.#bot);
  }

  async read(id: string): Promise<FileToCopy | undefined> {
    return this.#connection.read(() => {
      const found = fileState(this.#connection, { bot: this.#bot, id });
      if (!found) return undefined;
      const { number, state } = found;
      const isIndexed = this.#connection.cached<[number]>(`SELECT 1 FROM texts WHERE file = ?`).get(number);
      const text = isIndexed ? this.#texts.whole(number) : undefined;
      const cuts = givenCuts(this.#connection, number);
      return { state, text, content: uploadedContent(this.#connection, id), cuts: async () => cuts };
    });
  }

  async embeddings(texts: readonly string[]): Promise<Map<string, Float32Array>> {
    return this.#passages ? this.#passages.embeddings(texts) : new Map();
  }

  async put(file: FileCopy): Promise<void> {
    if (this.#passages) return this.#passages.copy(file);
    await this.#connection.write(() => {
      const files = new Files(this.#connection, this.#bot);
      for (const number of files.othersThan(file.state)) drain(files.remove(number));
      drain(files.putCopy(file));
    });
  }

  async remove({ key, id, version }: Parameters<FileCopies['remove']>[0]): Promise<boolean> {
    if (this.#passages) return this.#passages.remove(key, { only: { id, version } });
    return this.#connection.write(() => {
      const files = new Files(this.#connection, this.#bot);
      const number = files.numberOf(key, { id, version });
      if (number !== undefined) drain(files.remove(number));
      return number !== undefined;
    });
  }

  async close(): Promise<void> {
    await this.#passages?.close();
  }
}
