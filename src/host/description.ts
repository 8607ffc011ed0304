import mime from 'mime';
import { OPERATIONS, type RequestFor } from '../contract/operations/index.js';
import { validateRequest } from '../contract/validate.js';
import { excessOf, limitError } from '../domain/excess.js';
import { LIMITS } from '../domain/limits.js';
import { formats } from '../formats/formats.js';
import type { FileRecord, FileToUpload } from '../storage/file-records.js';

/** The file that a caller announces, with defaults for missing fields. Throws `INVALID_ARGUMENT`. */
export function described(request: RequestFor<'upsertFile'>): FileToUpload {
  // Public content is always accessible at once, and files are always indexed alike.
  const valid = validateRequest(OPERATIONS.upsertFile, request);
  const excess = excessOf(LIMITS.content, valid.size);
  if (excess) throw limitError(excess);
  const { expiresAt, contentType, publicContentImmediatelyAccessible: _, indexing: __, ...file } = valid;
  return { ...file, contentType: contentType ?? typeOfKey(file.key), expiresAt };
}

/** The content type of a file whose extension is unknown. */
const UNKNOWN = 'application/octet-stream';

/** The content type of a key, by its extension. */
function typeOfKey(key: string): string {
  // With a slash in front, since mime takes a bare name such as `doc` for an extension.
  return formats.ofKey(key)?.contentType ?? mime.getType(`/${key}`) ?? UNKNOWN;
}

/** The fields that a file keeps when its passages are replaced. */
export function keptFields({
  key,
  contentType,
  tags,
  metadata,
}: FileRecord): Pick<FileRecord, 'key' | 'contentType' | 'tags' | 'metadata'> {
  return { key, contentType, tags, metadata };
}
