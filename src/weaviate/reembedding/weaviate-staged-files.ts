import { endedReembedding } from '../../storage/failures.js';
import type { PendingPage, PendingText, TextEmbedding } from '../../storage/passage-store.js';
import type { FileToStage, GivenCut, StagedFiles } from '../../storage/staged-files.js';
import type { ModelRecord } from '../../storage/storage.js';
import { checkEmbedding } from '../../vectors/vector-index.js';
import type { ContentPieces } from '../contents/content-pieces.js';
import type { FileHead } from '../files/file-head.js';
import type { FileHeads } from '../files/file-heads.js';
import { textOfHead } from '../files/head-text.js';
import type { Writes } from '../files/writes.js';
import type { FileWriter } from '../passages/file-writer.js';
import type { PassageBodies } from '../passages/passage-bodies.js';
import { passageObjects } from '../passages/passage-object.js';
import type { PassageObjects } from '../passages/passage-objects.js';
import type { PassageTexts } from '../passages/passage-texts.js';
import { removeUnnamed } from '../passages/remove-unnamed.js';
import type { KeyLocks } from '../records/key-locks.js';
import type { ReembeddingRecords, StagedFileRecord } from './reembedding-records.js';

/** Milliseconds after which the record of a re-embedding that goes on is renewed; it is discarded after a week. */
const TOUCHED_EVERY = 60 * 60_000;

/** What files are staged with. */
export interface StagedFilesParts {
  readonly model: ModelRecord;
  readonly records: ReembeddingRecords;
  readonly heads: FileHeads;
  readonly writes: Writes;
  readonly contents: ContentPieces;
  /** Of the bot's present model. */
  readonly presentBodies: () => Promise<PassageBodies>;
  /** Of the model that files are staged for. */
  readonly objects: PassageObjects;
  readonly bodies: PassageBodies;
  readonly texts: PassageTexts;
  readonly writer: FileWriter;
  readonly locks: KeyLocks;
  readonly stem: (term: string) => string;
  /** The fingerprint of the bot's model. */
  readonly presentModel: () => Promise<string | undefined>;
  /** Gives the bot the model, and leaves the former one to be removed later. */
  readonly switchModel: () => Promise<void>;
  /** Removes what was staged for another model, and lets passages be staged for this one. */
  readonly begin: () => Promise<void>;
}

/**
 * The staging area of a bot's re-embedding, in a cluster. Passages are staged in the tenant of the new model under the
 * generations that the files have, so that the record of the bot's model, one object, switches all files at once.
 */
export class WeaviateStagedFiles implements StagedFiles {
  readonly #parts: StagedFilesParts;
  /** Files to be staged in this round, in order; the number of a file is its place in it, from 1. */
  #round: readonly FileHead[] = [];

  constructor(parts: StagedFilesParts) {
    this.#parts = parts;
  }

  async begin(): Promise<void> {
    await this.#parts.begin();
  }

  async nextUnstaged({
    after,
    pipeline,
  }: Parameters<StagedFiles['nextUnstaged']>[0]): Promise<FileToStage | undefined> {
    if (after === 0) this.#round = await this.#unstaged();
    for (let number = after + 1; number <= this.#round.length; number++) {
      const head = this.#round[number - 1];
      if (!head?.generation || (pipeline !== undefined && head.pipeline !== pipeline)) continue;
      const text = await textOfHead(head, this.#parts);
      // A file that was changed or removed meanwhile is seen by the next round.
      if (text === undefined) continue;
      return { number, key: head.key, pipeline: head.pipeline, text, version: head.generation };
    }
    return undefined;
  }

  async countUnstaged(): Promise<number> {
    return (await this.#unstaged()).length;
  }

  async givenCuts({ number, version }: FileToStage): Promise<GivenCut[]> {
    const count = this.#round[number - 1]?.passages ?? 0;
    const bodies = await (await this.#parts.presentBodies()).ofGeneration(version, count);
    return bodies.map(({ start, end, subtype, pageNumber = null }) => ({ start, end, subtype, page: pageNumber }));
  }

  async stage({ key, version, text }: FileToStage, cut: Parameters<StagedFiles['stage']>[1]): Promise<void> {
    const { records, heads, texts, objects, bodies, stem } = this.#parts;
    if (!(await this.#isOpen())) return;
    const head = await heads.find(key);
    if (head?.generation !== version) return;
    const { passages, pipeline, warnings } = cut;
    const known = await texts.known(passages.map((passage) => passage.text));
    const vectorOf = (wanted: string) => known.get(wanted)?.embedding;
    const file = { file: head, generation: version, text };
    const staged = passageObjects(file, { passages, stem, vectorOf });
    await Promise.all([objects.insert(staged.objects), bodies.put(version, staged.bodies)]);
    const { id: fileId } = head;
    const record: StagedFileRecord = {
      ...{ fileId, key, generation: version, pipeline, warnings },
      passages: passages.length,
    };
    await records.staged.put({ id: fileId, body: record });
  }

  async pending(page: PendingPage): Promise<PendingText[]> {
    return this.#parts.texts.pending(page);
  }

  async countPending(): Promise<number> {
    return this.#parts.texts.count();
  }

  async putEmbeddings(embeddings: readonly TextEmbedding[]): Promise<void> {
    for (const { embedding } of embeddings) checkEmbedding(embedding, this.#parts.model.dimensions);
    if (!(await this.#isOpen())) return;
    await this.#parts.texts.put(embeddings);
  }

  async switchOver(): Promise<boolean> {
    const { objects, records, switchModel } = this.#parts;
    if (!(await this.#isOpen())) return true;
    await removeUnnamed(objects, this.#parts);
    if ((await this.countUnstaged()) > 0 || (await this.countPending()) > 0) return false;
    await switchModel();
    // What another process has put under the former model meanwhile is staged in another round.
    if ((await this.countUnstaged()) > 0) return false;
    await this.describe();
    await records.end();
    return true;
  }

  /** Gives the heads what was staged with their passages. Nothing but their description depends on it. */
  async describe(): Promise<void> {
    const { records, heads, locks, writer } = this.#parts;
    for (const { key, generation, pipeline, warnings, passages } of await records.staged.list()) {
      await locks.run([key], async () => {
        const head = await heads.find(key);
        if (head?.generation !== generation) return;
        await writer.describe(head, { ...head, pipeline, warnings, passages });
      });
    }
  }

  /** Files whose present state is not staged, by key. */
  async #unstaged(): Promise<FileHead[]> {
    const { heads, records } = this.#parts;
    const [all, staged] = [await heads.all(), await records.staged.list()];
    const generations = new Set(staged.map(({ generation }) => generation));
    return all.filter(({ generation }) => generation !== null && !generations.has(generation));
  }

  /** Whether this re-embedding goes on; false if another process has completed it. Throws `ABORTED`. */
  async #isOpen(): Promise<boolean> {
    const { records, model, presentModel } = this.#parts;
    const current = await records.current();
    if (current?.model.fingerprint === model.fingerprint) {
      if (Date.now() - current.touched > TOUCHED_EVERY) await records.touch(model);
      return true;
    }
    if ((await presentModel()) === model.fingerprint) return false;
    throw endedReembedding(current?.model.id ?? null);
  }
}
