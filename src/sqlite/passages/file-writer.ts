import type { FileCopy } from '../../storage/copies.js';
import type { FileToPut, FileTouch, FileVersion, PutOptions, RemoveOptions } from '../../storage/passage-store.js';
import type { Connection } from '../connection/connection.js';
import type { Embeddings } from '../embeddings/embeddings.js';
import type { Files } from '../files/files.js';
import { closeAddress } from '../files/upload-addresses.js';
import type { Postings } from '../postings/postings.js';
import { PassageWriter } from './passage-writer.js';

/** The parts of a `FileWriter`, all on one connection. */
export interface FileWriterParts {
  readonly files: Files;
  readonly embeddings: Embeddings;
  readonly postings: Postings;
  /** Throws `EMBEDDING_INVALID`. */
  readonly checkEmbedding: (embedding: Float32Array) => void;
}

/**
 * Writes files of one bot with their passages. Call every method in a transaction; a method yields where a long
 * transaction may let other work go on. All throw `MODEL_MISMATCH`, `BOT_MISSING`.
 */
export class FileWriter {
  readonly #connection: Connection;
  readonly #parts: FileWriterParts;
  readonly #passages: PassageWriter;

  constructor(connection: Connection, parts: FileWriterParts) {
    this.#connection = connection;
    this.#parts = parts;
    this.#passages = new PassageWriter(connection, parts);
  }

  /** As `PassageStore.put`. */
  *put(file: FileToPut, { expected, embeddings: given, address, ...options }: PutOptions): Generator<void, boolean> {
    const { files, embeddings } = this.#parts;
    embeddings.checkModel();
    if (!files.isAt(file.key, expected)) return false;
    if (given && !(yield* this.#putEmbeddings(file, given))) return false;
    if (address) closeAddress(this.#connection, address);
    if (!expected) yield* this.#removeExpired(file.key);
    const row = yield* files.put(file, options);
    yield;
    yield* this.#passages.replace(row, file.passages);
    return true;
  }

  /** As `PassageStore.touch`. */
  *touch(expected: FileVersion, file: FileTouch): Generator<void, boolean> {
    this.#parts.embeddings.checkModel();
    yield* this.#removeExpired(file.key);
    return this.#parts.files.touch(expected, file);
  }

  /** As `PassageStore.remove`. */
  *remove(key: string, only?: RemoveOptions['only']): Generator<void, boolean> {
    this.#parts.embeddings.checkModel();
    const { files } = this.#parts;
    const number = files.numberOf(key, only);
    if (number === undefined) return false;
    // An expired file counts as absent, unless `only` names it.
    const isThere = only !== undefined || files.find(key) !== undefined;
    yield* this.#remove(number);
    return isThere;
  }

  /** As `FileCopies.put`. */
  *copy(copy: FileCopy): Generator<void> {
    const { files, embeddings, checkEmbedding } = this.#parts;
    embeddings.checkModel();
    for (const number of files.othersThan(copy.state)) yield* this.#remove(number);
    for (const [text, embedding] of copy.embeddings) {
      yield;
      if (embeddings.has(text)) continue;
      checkEmbedding(embedding);
      embeddings.insert(text, embedding);
    }
    const row = yield* files.putCopy(copy);
    yield;
    yield* this.#passages.replace(row, copy.passages);
  }

  /** Stores the embeddings that a file's texts lack. Returns false, and does nothing, if one is not given. */
  *#putEmbeddings({ passages }: FileToPut, given: ReadonlyMap<string, Float32Array>): Generator<void, boolean> {
    const { embeddings, checkEmbedding } = this.#parts;
    const missing = new Map<string, Float32Array>();
    for (const { text } of passages) {
      yield;
      if (missing.has(text) || embeddings.has(text)) continue;
      const embedding = given.get(text);
      if (!embedding) return false;
      missing.set(text, embedding);
    }
    for (const [text, embedding] of missing) {
      checkEmbedding(embedding);
      embeddings.insert(text, embedding);
      yield;
    }
    return true;
  }

  /** Removes an expired file, so that a new file can get its key. */
  *#removeExpired(key: string): Generator<void> {
    const number = this.#parts.files.expiredNumber(key);
    if (number !== undefined) yield* this.#remove(number);
  }

  *#remove(number: number): Generator<void> {
    yield* this.#passages.removeAll(number);
    yield* this.#parts.files.remove(number);
  }
}
