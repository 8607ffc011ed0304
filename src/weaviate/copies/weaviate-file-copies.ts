import { WaymarkError } from '../../domain/errors.js';
import type { FileCopies, FileCopy, FileState, FileToCopy } from '../../storage/copies.js';
import { replacedContent } from '../../storage/failures.js';
import { isSameVersion } from '../../storage/passage-store.js';
import type { GivenCut } from '../../storage/staged-files.js';
import { checkEmbedding } from '../../vectors/vector-index.js';
import type { ContentPieces } from '../contents/content-pieces.js';
import type { WeaviateContents } from '../contents/weaviate-contents.js';
import { uploadedContent } from '../files/file-content.js';
import type { FileHead } from '../files/file-head.js';
import type { FileHeads } from '../files/file-heads.js';
import { assertReplaced, textOfHead } from '../files/head-text.js';
import type { FileWriter } from '../passages/file-writer.js';
import type { PassageBodies } from '../passages/passage-bodies.js';
import type { KnownText, PassageTexts } from '../passages/passage-texts.js';
import type { KeyLocks } from '../records/key-locks.js';

/** What the copies of a bot's files work with. */
export interface FileCopiesParts {
  readonly heads: FileHeads;
  readonly contents: ContentPieces;
  readonly staging: WeaviateContents;
  readonly locks: KeyLocks;
  /** Undefined if the bot has no model, and no file of it was indexed. */
  readonly passages:
    | {
        readonly bodies: PassageBodies;
        readonly texts: PassageTexts;
        readonly writer: FileWriter;
        readonly dimensions: number;
      }
    | undefined;
}

/** The files of a bot in a cluster, for copies of it. */
export class WeaviateFileCopies implements FileCopies {
  readonly #parts: FileCopiesParts;

  constructor(parts: FileCopiesParts) {
    this.#parts = parts;
  }

  async *states(): AsyncGenerator<FileState> {
    for (const head of await this.#parts.heads.all()) yield stateOf(head);
  }

  async read(id: string): Promise<FileToCopy | undefined> {
    const { heads } = this.#parts;
    for (let head = await heads.byId(id); head; head = await heads.byId(id)) {
      const text = await textOfHead(head, this.#parts);
      if (text === undefined && head.generation !== null) continue;
      const content = await uploadedContent(head, this.#parts);
      const named = head;
      return { state: stateOf(head), text, content, cuts: () => this.#cutsOf(named) };
    }
    return undefined;
  }

  async embeddings(texts: readonly string[]): Promise<Map<string, Float32Array>> {
    const known = (await this.#parts.passages?.texts.known(texts)) ?? new Map<string, KnownText>();
    return new Map(Array.from(known).flatMap(([text, { embedding }]) => (embedding ? [[text, embedding]] : [])));
  }

  async put(file: FileCopy): Promise<void> {
    const { heads, locks, passages } = this.#parts;
    for (const embedding of file.embeddings.values()) checkEmbedding(embedding, passages?.dimensions ?? 0);
    const { id, key } = file.state;
    // Files may have got the keys of each other: each put removes what the other one is about to replace.
    const former = (await heads.byId(id))?.key ?? key;
    await locks.run([key, former], () => this.#put(file, former));
  }

  async remove(file: Parameters<FileCopies['remove']>[0]): Promise<boolean> {
    return this.#parts.locks.run([file.key], async () => {
      const head = await this.#parts.heads.find(file.key);
      if (!head || !isSameVersion(head, file)) return false;
      await this.#remove(head);
      return true;
    });
  }

  async close(): Promise<void> {}

  async #cutsOf(head: FileHead): Promise<GivenCut[]> {
    const { heads, passages } = this.#parts;
    if (!passages || head.generation === null) return [];
    const bodies = await passages.bodies.ofGeneration(head.generation, head.passages);
    if (bodies.length < head.passages) {
      await assertReplaced(head, heads);
      throw replacedContent(head.key);
    }
    const cuts = bodies.map(({ start, end, subtype, pageNumber = null }) => ({
      start,
      end,
      subtype,
      page: pageNumber,
    }));
    return cuts.sort((a, b) => a.start - b.start);
  }

  /** `former` is the key that the file has had in the target. */
  async #put({ state, text, content, ...copy }: FileCopy, former: string): Promise<void> {
    const { heads, staging, passages } = this.#parts;
    const [holder, moved] = await Promise.all([
      heads.find(state.key),
      former === state.key ? undefined : heads.find(former),
    ]);
    const before = holder?.id === state.id ? holder : undefined;
    if (holder && !before) await this.#remove(holder);
    if (moved?.id === state.id) await this.#remove(moved);
    const taken = content ? await staging.take(content, { key: state.key, replaced: before?.content ?? null }) : null;
    const head = { ...state, content: taken };
    if (text === undefined || !passages) {
      // Passages are removed with their head; a content also by the one that replaces it.
      const isLeft = before && (before.generation !== null || (before.content !== null && !taken));
      if (isLeft) await this.#remove(before);
      await heads.put({ ...head, passages: 0, generation: null }, isLeft ? undefined : before);
    } else {
      const vectorOf = (wanted: string) => copy.embeddings.get(wanted);
      const put = { before, head, text, passages: copy.passages, vectorOf, version: state.version };
      if (!(await passages.writer.put(put))) throw changedMeanwhile(state.key);
    }
    if (taken) await staging.settle(taken);
  }

  async #remove(head: FileHead): Promise<void> {
    const { heads, contents, passages } = this.#parts;
    if (passages) {
      if (!(await passages.writer.remove(head))) throw changedMeanwhile(head.key);
      return;
    }
    await heads.remove(head);
    if (head.content) await contents.remove(head.content.id);
  }
}

function stateOf({ generation: _, content: __, announced: ___, ...state }: FileHead): FileState {
  return state;
}

function changedMeanwhile(key: string): WaymarkError {
  return new WaymarkError('DATABASE_CONFLICT', `"${key}" was changed while it was copied: copy it again.`);
}
