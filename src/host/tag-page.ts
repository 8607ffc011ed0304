import type { PageMeta } from '../contract/fields/page.js';
import { decodeCursor, encodeCursor, invalidCursor } from '../domain/cursor.js';
import { LIMITS } from '../domain/limits.js';
import type { FileRecords } from '../storage/file-records.js';

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
