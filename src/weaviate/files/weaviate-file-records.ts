import { AnswerSize } from '../../domain/answer-size.js';
import { passesTags } from '../../domain/filters/tag-filter.js';
import { changedDescription } from '../../storage/changed-description.js';
import type { FileContent, StagedContent, UsedAddress } from '../../storage/contents.js';
import { missingFile, uploadMissing } from '../../storage/failures.js';
import {
  type FileChanges,
  type FileIdentity,
  type FileRecord,
  type FileRecords,
  type FileSortField,
  type FileToUpload,
  hasExpired,
  type PendingFile,
} from '../../storage/file-records.js';
import type { Page } from '../../storage/page.js';
import { type FileVersion, isSameVersion } from '../../storage/passage-store.js';
import { type Cluster, REACH } from '../connection/cluster.js';
import { ContentPieces } from '../contents/content-pieces.js';
import { WeaviateContents } from '../contents/weaviate-contents.js';
import { byteOrder } from '../records/byte-order.js';
import type { KeyLocks } from '../records/key-locks.js';
import { pageOf } from '../records/page.js';
import { announcedBut, changedAnnounced, withAnnounced } from './announced-uploads.js';
import { fileContent } from './file-content.js';
import { type FileHead, isFoundByOther, isOutdated } from './file-head.js';
import { FileHeads } from './file-heads.js';
import { recordOf } from './file-record.js';
import { awaitingContent, describedHead, hasContent, newHead } from './uploaded-head.js';
import { WeaviateUploadAddresses } from './weaviate-upload-addresses.js';

const PENDING_STATUS = 'indexing_pending';

/** Writes files that have passages, see `FileWriter`. */
export interface FileWriting {
  /** With other tags or metadata, by which the passages are found. */
  rewrite(before: FileHead, changed: FileHead): Promise<boolean>;
  describe(before: FileHead, head: Omit<FileHead, 'version'>): Promise<FileHead | undefined>;
}

/** What the records of a bot's files work with. */
export interface FileRecordsParts {
  readonly bot: string;
  /** Shared with what else writes the files of the bot in this process. */
  readonly locks: KeyLocks;
  /** Opens what writes files that have passages. */
  readonly writer: () => Promise<FileWriting>;
}

/** The records of one bot's files, in a cluster: what their heads say. */
export class WeaviateFileRecords implements FileRecords {
  readonly #parts: FileRecordsParts;
  readonly #heads: FileHeads;
  readonly #pieces: ContentPieces;
  readonly #contents: WeaviateContents;
  readonly #addresses: WeaviateUploadAddresses;

  constructor(cluster: Cluster, parts: FileRecordsParts) {
    this.#parts = parts;
    this.#heads = new FileHeads(cluster, parts.bot);
    this.#pieces = new ContentPieces(cluster, parts.bot);
    this.#contents = new WeaviateContents(cluster);
    this.#addresses = new WeaviateUploadAddresses(cluster);
  }

  async find(idOrKey: string): Promise<FileRecord | undefined> {
    const head = await this.#found(idOrKey);
    return head && recordOf(head);
  }

  async identify(idOrKey: string): Promise<FileIdentity | undefined> {
    return this.find(idOrKey);
  }

  async withKey(key: string): Promise<FileRecord | undefined> {
    const head = await this.#heads.find(key);
    return head && !hasExpired(head) ? recordOf(head) : undefined;
  }

  async page(
    { tags, ids, indexed }: Parameters<FileRecords['page']>[0],
    { sortField, ...page }: Parameters<FileRecords['page']>[1],
  ): Promise<Page<FileRecord>> {
    // Of the fields that files are sorted by, the cluster has no order: it sorts texts by other rules than it compares.
    const heads = (await (ids ? this.#heads.byIds(ids) : this.#heads.all())).filter(
      (head) =>
        !hasExpired(head) &&
        passesTags(head.tags, tags) &&
        (indexed === undefined || indexed === (head.status === 'indexing_completed')),
    );
    const order = {
      sort: `files.${sortField}`,
      sortedBy: (head: FileHead) => sortedBy(head, sortField),
      idOf: idOfHead,
    };
    const { items, ...rest } = pageOf(heads, order, page);
    const size = new AnswerSize('lower pageSize');
    for (const head of items) size.addTexts(JSON.stringify(head.metadata), JSON.stringify(head.tags));
    return { items: items.map(recordOf), ...rest };
  }

  async hasPending(): Promise<boolean> {
    const isPending = this.#heads.where(({ filter }) => filter.byProperty('status').equal(PENDING_STATUS), 1);
    return (await isPending).length > 0;
  }

  async pending({ after, limit }: Parameters<FileRecords['pending']>[0]): Promise<PendingFile[]> {
    const reached = await this.#heads.where(({ filter }) => filter.byProperty('status').equal(PENDING_STATUS), REACH);
    const all = reached.length < REACH ? reached : await this.#heads.all();
    const heads = all.filter(({ status }) => status === PENDING_STATUS);
    return heads
      .filter(({ id }) => id > after)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map(({ id, size }) => ({ id, size }));
  }

  async content(id: string): Promise<FileContent | undefined> {
    const head = await this.#heads.byId(id);
    return head && this.#contentOf(head);
  }

  async withContent(...[idOrKey, isWanted = () => true]: Parameters<FileRecords['withContent']>) {
    const head = await this.#found(idOrKey);
    const record = head && recordOf(head);
    return record && isWanted(record) ? { record, content: await this.#contentOf(head) } : undefined;
  }

  async tags({ tag, after, limit }: Parameters<FileRecords['tags']>[0]): Promise<string[]> {
    const names = new Set<string>();
    for (const head of await this.#heads.all()) {
      if (hasExpired(head)) continue;
      if (tag === undefined) for (const name of Object.keys(head.tags)) names.add(name);
      else if (Object.hasOwn(head.tags, tag)) names.add(head.tags[tag] as string);
    }
    const found = [...names].filter((name) => after === undefined || byteOrder(name, after) > 0);
    return found.sort(byteOrder).slice(0, limit);
  }

  async expired(): Promise<(FileVersion & { key: string })[]> {
    const now = Date.now();
    const heads = await this.#heads.where(({ filter }) => filter.byProperty('expires').lessOrEqual(now), REACH);
    return heads.map(({ id, version, key }) => ({ id, version, key }));
  }

  async announce(
    file: FileToUpload,
    { address, isNew = false }: Parameters<FileRecords['announce']>[1] = {},
  ): Promise<FileRecord | 'expired' | 'taken'> {
    return this.#under(file.key, isNew, async (before) => {
      const former = before ?? newHead(file.key);
      if (address) await this.#addresses.open(address, { bot: this.#parts.bot, head: former, file });
      const described = describedHead(former, file);
      const head = hasContent(former) ? awaitingContent(former) : described;
      const written = await this.#write(before, address ? withAnnounced(head, address) : head);
      return written && { ...described, id: written.id, version: written.version, createdAt: written.createdAt };
    });
  }

  async upsert(
    file: FileToUpload,
    content: StagedContent,
    { isNew = false }: Parameters<FileRecords['upsert']>[2] = {},
  ): Promise<FileRecord | 'expired' | 'taken'> {
    return this.#under(file.key, isNew, (before) =>
      this.#receive(before, describedHead(before ?? newHead(file.key), file), content),
    );
  }

  async receive(address: UsedAddress, content: StagedContent): Promise<FileRecord> {
    return this.#addresses.using(address, async (take) => {
      const announced = await this.#addresses.find(address);
      const received =
        announced &&
        (await this.#change(announced.id, async (before) => {
          const file = await take(before);
          if (!file) return 'refused';
          const announced = announcedBut(before, address.hash);
          return this.#receive(before, { ...describedHead(before, file), announced }, content);
        }));
      if (!received) throw uploadMissing();
      return received;
    });
  }

  async fail(expected: FileVersion, { status, reason }: Parameters<FileRecords['fail']>[1]): Promise<boolean> {
    const failed = await this.#change(expected.id, async (before) => {
      if (!isSameVersion(before, expected)) return 'refused';
      const updatedAt = new Date().toISOString();
      return this.#write(before, { ...before, status, failedStatusReason: reason, updatedAt });
    });
    return failed !== undefined;
  }

  async patch(id: string, changes: FileChanges): Promise<FileRecord> {
    const patched = await this.#change(id, async (before) => {
      const { expiresAt: _, ...former } = before;
      const { expiresAt, ...changed } = changedDescription(before, changes);
      const updatedAt = new Date().toISOString();
      const announced = changedAnnounced(before, changes);
      const patched = { ...former, ...changed, ...(expiresAt !== undefined && { expiresAt }), announced, updatedAt };
      return this.#write(before, patched);
    });
    if (patched) return patched;
    throw missingFile(id);
  }

  /** By id, or by key if no file has that id. */
  async #found(idOrKey: string): Promise<FileHead | undefined> {
    const found = await Promise.all([this.#heads.byId(idOrKey), this.#heads.find(idOrKey)]);
    return found.find((one) => one && !hasExpired(one));
  }

  #contentOf(head: FileHead): Promise<FileContent | undefined> {
    return fileContent(head, { heads: this.#heads, contents: this.#pieces });
  }

  /** Writes the file of a key, again if another write comes first. */
  async #under(
    key: string,
    isNew: boolean,
    write: (before: FileHead | undefined) => Promise<FileHead | undefined>,
  ): Promise<FileRecord | 'expired' | 'taken'> {
    return this.#parts.locks.run([key], async () => {
      for (;;) {
        const before = await this.#heads.find(key);
        if (before && hasExpired(before)) return 'expired';
        if (before && isNew) return 'taken';
        const written = await write(before);
        if (written) return recordOf(written);
      }
    });
  }

  /**
   * Changes a file by its id, again if another write comes first. Returns undefined if there is no such file, or if
   * `change` refuses.
   */
  async #change(
    id: string,
    change: (before: FileHead) => Promise<FileHead | 'refused' | undefined>,
  ): Promise<FileRecord | undefined> {
    for (;;) {
      const found = await this.#heads.byId(id);
      if (!found) return undefined;
      const written = await this.#parts.locks.run([found.key], async () => {
        const before = await this.#heads.find(found.key);
        return before?.id === id ? change(before) : undefined;
      });
      if (written === 'refused') return undefined;
      if (written) return recordOf(written);
    }
  }

  /** Gives a file a content that is to be indexed. The folder that it came from has another one from now on. */
  async #receive(before: FileHead | undefined, head: FileHead, staged: StagedContent): Promise<FileHead | undefined> {
    const content = await this.#contents.take(staged, { key: head.key, replaced: before?.content ?? null });
    const now = new Date();
    const received = {
      ...head,
      ...{ content, size: content.size, mtime: null, status: 'indexing_pending' as const },
      ...{ updatedAt: now.toISOString(), indexedAt: now.getTime() },
    };
    const written = await this.#write(before, received);
    if (written) await this.#contents.settle(content);
    return written;
  }

  /**
   * Writes a head over the one that it was decided on. Returns it as it was written; undefined if another write was
   * seen to come first.
   */
  async #write(before: FileHead | undefined, head: FileHead): Promise<FileHead | undefined> {
    if (before?.generation) {
      const writer = await this.#parts.writer();
      // What is hidden until other passages replace it is found by nothing.
      if (isOutdated(head) || !isFoundByOther(before, head)) return writer.describe(before, head);
      if (!(await writer.rewrite(before, head))) return undefined;
      const rewritten = await this.#heads.find(head.key);
      return rewritten?.id === head.id ? rewritten : undefined;
    }
    // Nothing compares and writes in one step: what another process writes between these two requests is lost.
    if (!isSameVersion(await this.#heads.find(head.key), before)) return undefined;
    // As high as the clock, so that a file that is removed and put again meets no version twice.
    const version = Math.max((before?.version ?? 0) + 1, Date.now());
    const written = { ...head, version };
    await this.#heads.put(written, before);
    // Two processes may have given a new file an id.
    if (!before && (await this.#heads.find(head.key))?.id !== head.id) return undefined;
    return written;
  }
}

function sortedBy(head: FileHead, field: FileSortField): string | number {
  return field === 'size' ? (recordOf(head).size ?? -1) : head[field];
}

function idOfHead({ id }: FileHead): string {
  return id;
}
