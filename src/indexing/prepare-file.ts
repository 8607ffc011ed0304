import { type Abortable, unlessAborted } from '../domain/abortable.js';
import type { Description } from '../domain/description.js';
import type { Format } from '../formats/format-table.js';
import type { FileToPut, StoredFile } from '../storage/passage-store.js';
import { describeFile } from './describe-file.js';
import type { HashedText } from './file-text.js';
import type { Parser } from './indexing.js';
import { unfinished } from './pipeline.js';

/** Where a text comes from and how it is read. */
export interface Origin
  extends Description,
    Pick<StoredFile, 'key' | 'folder' | 'mtime' | 'ctime' | 'inode' | 'indexedAt' | 'pipeline'> {
  readonly format: Format;
  /** Whether tags and metadata of the front matter are left out. Defaults to false. */
  readonly keepsDescription?: boolean | undefined;
}

const NONE: Description = { tags: {}, metadata: {} };

/** Cuts a text into passages that are ready to be stored. Throws what `parse` throws, and `ABORTED`. */
export async function prepareFile(
  { text, hash, size }: HashedText,
  origin: Origin,
  { parser, signal }: Abortable & { readonly parser: Parser },
): Promise<FileToPut> {
  const { key, folder, mtime, ctime, inode, indexedAt, pipeline, format } = origin;
  const parsed = await unlessAborted(() => parser.parse(text, origin), signal);
  const { tags, metadata, warnings } = describeFile(origin.keepsDescription ? NONE : parsed, origin);
  return {
    text,
    hash,
    size,
    key,
    folder,
    mtime,
    ctime,
    inode,
    indexedAt,
    pipeline: parsed.isUnfinished ? unfinished(pipeline) : pipeline,
    contentType: format.contentType,
    title: parsed.title,
    tags,
    metadata,
    warnings: [...parsed.warnings, ...warnings],
    passages: parsed.passages,
  };
}
