import type { PageMeta } from '../contract/fields/page.js';
import type { ResponseFor } from '../contract/operations/index.js';
import { AnswerSize } from '../domain/answer-size.js';
import { decodeCursor, encodeCursor, invalidCursor } from '../domain/cursor.js';
import { LIMITS } from '../domain/limits.js';
import type { Passage } from '../domain/passage.js';
import { sourceOf } from '../search/expand.js';
import type { FileRecord, FileRecords } from '../storage/file-records.js';

/**
 * A page of the names of tags, or of the values of `tag`. Throws `INVALID_ARGUMENT` for a `nextToken` of another list.
 */
export async function tagPage(
  records: FileRecords,
  {
    tag,
    pageSize = LIMITS.pageSize.value,
    nextToken,
  }: { readonly tag?: string; readonly pageSize?: number | undefined; readonly nextToken?: string | undefined },
): Promise<{ names: string[]; meta: PageMeta }> {
  const list = tag === undefined ? 'tags' : `values of ${tag}`;
  const [after] = nextToken === undefined ? [] : decodeCursor(nextToken, { prefix: [list], length: 2 });
  if (typeof after === 'number') throw invalidCursor();
  const found = await records.tags({ after, limit: pageSize + 1, ...(tag !== undefined && { tag }) });
  const names = found.slice(0, pageSize);
  const last = names.at(-1);
  const hasMore = found.length > pageSize && last !== undefined;
  return { names, meta: hasMore ? { nextToken: encodeCursor([list, last]) } : {} };
}

/** Positions of passages, inclusive. */
export interface PassageRange {
  readonly from: number;
  readonly to: number;
}

/** A page of the passages of a file. Throws `RESPONSE_TOO_LARGE`, and `INVALID_ARGUMENT` for another list's token. */
export async function passagePage(
  file: FileRecord,
  {
    pageSize,
    nextToken,
    read,
  }: {
    readonly pageSize: number;
    readonly nextToken: string | undefined;
    readonly read: (range: PassageRange) => Promise<readonly Passage[]>;
  },
): Promise<ResponseFor<'listFilePassages'>> {
  const prefix = ['passages', file.id];
  const [from] = nextToken === undefined ? [0] : decodeCursor(nextToken, { prefix, length: 3 });
  if (typeof from !== 'number' || from < 0) throw invalidCursor();
  const found = await read({ from, to: from + pageSize });
  const passages = found.slice(0, pageSize);
  const size = new AnswerSize('lower limit');
  size.addTexts(...passages.map(({ content }) => content));
  return {
    passages: passages.map(({ id, content, subtype, position, pageNumber }) => ({
      id,
      content,
      meta: { type: 'chunk', subtype, position, ...(pageNumber !== undefined && { pageNumber }), ...sourceOf(file) },
    })),
    meta: { ...(found.length > pageSize && { nextToken: encodeCursor([...prefix, from + pageSize]) }) },
  };
}
