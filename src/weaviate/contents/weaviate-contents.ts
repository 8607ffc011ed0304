import { randomUUID } from 'node:crypto';
import { type Abortable, assertNotAborted } from '../../domain/abortable.js';
import { hasCode } from '../../domain/errors.js';
import {
  type ByteSource,
  type Contents,
  partsOf,
  STAGED_CONTENT_LIFETIME,
  type StagedContent,
} from '../../storage/contents.js';
import { abandonedContent } from '../../storage/failures.js';
import { Utf8Check } from '../../text/utf8-check.js';
import type { Cluster } from '../connection/cluster.js';
import type { HeadContent } from '../files/file-head.js';
import { FileHeads } from '../files/file-heads.js';
import { Writes } from '../files/writes.js';
import { Records } from '../records/records.js';
import { ACCOUNTS } from '../schema/collections.js';
import { ofBot } from '../schema/tenants.js';
import { ContentPieces } from './content-pieces.js';

/** A content that is not that of a file yet, or whose file has not settled. */
interface Staged extends HeadContent {
  readonly bot: string;
  /** When its last part was stored, in milliseconds since the epoch. */
  readonly touchedAt: number;
  /** The file that takes it. */
  readonly key?: string;
  /** The content that the file had before, to be removed once it has this one. */
  readonly replaced?: string | undefined;
}

/** Milliseconds after which the record of a content that arrives is written again. */
const TOUCHED = STAGED_CONTENT_LIFETIME / 12;

/**
 * Contents in a cluster. For each staged one, a record has the time when it was touched and the file that takes it,
 * until the head of the file names it and the former content is removed: this finds whatever a process that died has
 * left.
 */
export class WeaviateContents implements Contents {
  readonly #cluster: Cluster;
  readonly #staged: Records<Staged>;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#staged = new Records<Staged>(cluster, { collection: ACCOUNTS, kind: 'staged' });
  }

  async stage(source: ByteSource, bot: string, { signal }: Abortable = {}): Promise<StagedContent> {
    const pieces = new ContentPieces(this.#cluster, bot);
    const check = new Utf8Check();
    let staged: Staged = { id: randomUUID(), bot, size: 0, isUtf8: false, touchedAt: Date.now() };
    await this.#put(staged);
    try {
      let [index, size] = [0, 0];
      for await (const part of partsOf(source)) {
        assertNotAborted(signal);
        check.add(part);
        if (Date.now() - staged.touchedAt > TOUCHED) {
          if (!(await this.#staged.find(staged.id))) throw abandonedContent();
          staged = { ...staged, touchedAt: Date.now() };
          await this.#put(staged);
        }
        await pieces.put(staged.id, index++, part);
        size += part.length;
      }
      await this.#put({ ...staged, size, isUtf8: check.isUtf8, touchedAt: Date.now() });
      return { id: staged.id, size };
    } catch (error) {
      // What cannot be removed now is removed as abandoned.
      await this.#clear(staged).catch(() => {});
      throw error;
    }
  }

  async discard({ id }: StagedContent): Promise<void> {
    const staged = await this.#staged.find(id);
    if (staged) await this.#clear(staged);
  }

  async removeAbandoned(): Promise<void> {
    const before = Date.now() - STAGED_CONTENT_LIFETIME;
    for (const staged of await this.#staged.list()) if (staged.touchedAt < before) await this.#clear(staged);
  }

  /**
   * Call it before a staged content is written into the head of a file, and `settle` afterwards. `replaced` is the
   * content that the head has now. Returns how the head describes the content. Throws `UPLOAD_MISSING` if it is gone.
   */
  async take(
    { id }: StagedContent,
    { key, replaced }: { readonly key: string; readonly replaced: HeadContent | null },
  ): Promise<HeadContent> {
    const staged = await this.#staged.find(id);
    if (!staged) throw abandonedContent();
    await this.#put({ ...staged, key, replaced: replaced?.id, touchedAt: Date.now() });
    return { id, size: staged.size, isUtf8: staged.isUtf8 };
  }

  /**
   * Ends the taking of a content: removes what it replaced. If another write has overtaken the head meanwhile, the
   * content is removed as abandoned.
   */
  async settle({ id }: Pick<HeadContent, 'id'>): Promise<void> {
    const staged = await this.#staged.find(id);
    if (staged && (await this.#current(staged)) === id) await this.#clear(staged);
  }

  /** Removes what a staged content has left: itself and what it replaced, except the one that the file has. */
  async #clear(staged: Staged): Promise<void> {
    const { id, bot, replaced } = staged;
    try {
      // Before the head: another write under way may give the file the replaced one back, and removes it otherwise.
      const others = (await new Writes(this.#cluster, bot).list()).flatMap(({ contents }) => contents);
      const current = await this.#current(staged);
      const left = [id, ...(replaced === undefined || others.includes(replaced) ? [] : [replaced])];
      await new ContentPieces(this.#cluster, bot).remove(...left.filter((content) => content !== current));
    } catch (error) {
      // The pieces have gone with it.
      if (!hasCode(error, 'BOT_MISSING')) throw error;
    }
    await this.#staged.remove(id);
  }

  /** The content that the head of the file names. */
  async #current({ bot, key }: Staged): Promise<string | undefined> {
    if (key === undefined) return undefined;
    return (await new FileHeads(this.#cluster, bot).find(key))?.content?.id;
  }

  async #put(staged: Staged): Promise<void> {
    await this.#staged.put({ id: staged.id, body: staged, refs: [ofBot(staged.bot)], stamp: staged.touchedAt });
  }
}
