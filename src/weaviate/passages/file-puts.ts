import { ulid } from 'ulid';
import { assertNotAborted } from '../../domain/abortable.js';
import { WaymarkError } from '../../domain/errors.js';
import { uploadMissing } from '../../storage/failures.js';
import type { FileAccess } from '../../storage/file-access.js';
import { hasExpired } from '../../storage/file-records.js';
import { stableUlid } from '../../storage/ids/stable-ulid.js';
import { type FileToPut, isSameVersion, type PutOptions } from '../../storage/passage-store.js';
import type { ContentPieces } from '../contents/content-pieces.js';
import type { WeaviateContents } from '../contents/weaviate-contents.js';
import { announcedBut } from '../files/announced-uploads.js';
import type { FileHead, HeadContent } from '../files/file-head.js';
import type { FileHeads } from '../files/file-heads.js';
import { textOfHead } from '../files/head-text.js';
import type { WeaviateUploadAddresses } from '../files/weaviate-upload-addresses.js';
import type { FileWriter } from './file-writer.js';
import { numberOfText } from './passage-object.js';
import type { PassageTexts } from './passage-texts.js';

/** What puts work with. */
export interface FilePutsParts {
  readonly bot: string;
  readonly heads: FileHeads;
  readonly contents: ContentPieces;
  readonly staging: WeaviateContents;
  readonly texts: PassageTexts;
  readonly writer: FileWriter;
  readonly addresses: WeaviateUploadAddresses;
}

/** Puts files: decides whether a put holds, finds the embeddings that are stored, and writes the file. */
export class FilePuts {
  readonly #parts: FilePutsParts;

  constructor(parts: FilePutsParts) {
    this.#parts = parts;
  }

  /** As `PassageStore.put`, for embeddings that were checked, while no other put of the key runs in this process. */
  async put(file: FileToPut, options: PutOptions): Promise<boolean> {
    const { address } = options;
    if (!address) return this.#put(file, options);
    return this.#parts.addresses.using(address, (take) =>
      this.#put(file, options, async (head) => {
        if (!head || !(await take(head))) throw uploadMissing();
      }),
    );
  }

  /** `takeAddress` is called with the head that the put was decided on. */
  async #put(
    file: FileToPut,
    options: PutOptions,
    takeAddress?: (head: FileHead | undefined) => Promise<void>,
  ): Promise<boolean> {
    const { expected, embeddings, content = 'text', isSearched = true, failure, access, address, signal } = options;
    const { texts, heads, writer } = this.#parts;
    assertPositions(file);
    const wanted = file.passages.map(({ text }) => text);
    const [found, known] = await Promise.all([heads.find(file.key), texts.known(wanted)]);
    const before = found && hasExpired(found) ? undefined : found;
    if (!isSameVersion(before, expected)) return false;
    const vectorOf = (text: string) => known.get(text)?.embedding ?? embeddings?.get(text);
    if (embeddings && wanted.some((text) => !vectorOf(text))) return false;
    await takeAddress?.(before);
    // What has expired under the key is another file than the one that gets it.
    if (found && !before && !(await writer.remove(found))) return false;
    assertNotAborted(signal);
    const taken = await this.#contentOf(file, { before, content });
    const head = await this.#headOf(file, {
      before,
      content: taken,
      isUpload: typeof content !== 'string',
      isSearched,
      failure,
      access,
      address,
    });
    if (before) await texts.keepOf(before);
    const { passages, text } = file;
    const isPut = await writer.put({ before, head, text, passages, vectorOf });
    if (taken && typeof content !== 'string') await this.#parts.staging.settle(taken);
    if (!isPut) return false;
    // Passages of other files may wait for the same embeddings.
    const shared = wanted.filter((text) => known.get(text)?.isPending && vectorOf(text));
    if (shared.length > 0) {
      await texts.put(shared.map((text) => ({ id: numberOfText(text), embedding: vectorOf(text) as Float32Array })));
    }
    return true;
  }

  /** The new head of a file, without the fields that the write decides. */
  async #headOf(
    file: FileToPut,
    {
      before,
      content,
      isUpload,
      isSearched,
      failure,
      access,
      address,
    }: {
      readonly before: FileHead | undefined;
      readonly content: HeadContent | null;
      /** Whether the content is what was uploaded. */
      readonly isUpload: boolean;
      readonly isSearched: boolean;
    } & Pick<PutOptions, 'failure' | 'access' | 'address'>,
  ): Promise<Omit<FileHead, 'generation' | 'passages' | 'version'>> {
    const now = new Date().toISOString();
    const { passages: _, text: __, title, ...described } = file;
    const { accessPolicies = [], expiresAt }: Partial<FileAccess> = access ?? before ?? {};
    return {
      ...described,
      title: title ?? null,
      id: before?.id ?? (isUpload ? `file_${ulid()}` : await this.#newId(file)),
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
      status: failure !== undefined ? 'indexing_failed' : isSearched ? 'indexing_completed' : 'upload_completed',
      ...(failure !== undefined && { failedStatusReason: failure }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(before?.keepsDescription && { keepsDescription: true }),
      index: isSearched,
      accessPolicies,
      content,
      announced: announcedBut(before ?? {}, address?.hash),
    };
  }

  /** The content that a put gives a file; null if that is its text. */
  async #contentOf(
    { key }: FileToPut,
    { before, content }: { readonly before: FileHead | undefined; readonly content: PutOptions['content'] },
  ): Promise<HeadContent | null> {
    const { staging } = this.#parts;
    if (content === undefined || content === 'text') return null;
    if (content !== 'former') return staging.take(content, { key, replaced: before?.content ?? null });
    if (!before?.generation || before.content) return before?.content ?? null;
    // The text that was indexed stays as the content of the file. If that has another one by now, the put is refused.
    const text = (await textOfHead(before, this.#parts)) ?? '';
    return { id: before.generation, size: Buffer.byteLength(text), isUtf8: true };
  }

  /**
   * The id of a new file that was not uploaded: the same wherever the same text first gets the same key, so that
   * passages have the same ids, unless a file has it that was moved.
   */
  async #newId({ key, text }: FileToPut): Promise<string> {
    for (let count = 0; ; count++) {
      const id = `file_${stableUlid([this.#parts.bot, key, text, count])}`;
      if (!(await this.#parts.heads.byId(id))) return id;
    }
  }
}

function assertPositions({ key, passages }: FileToPut): void {
  const positions = new Set(passages.map(({ position }) => position));
  if (positions.size === passages.length) return;
  throw new WaymarkError('DATABASE_CONFLICT', `Two passages of "${key}" have the same position.`);
}
