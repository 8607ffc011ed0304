import { WaymarkError } from '../../domain/errors.js';
import { type ByteRange, type FileContent, PART } from '../../storage/contents.js';
import { replacedContent } from '../../storage/failures.js';
import type { FileHead } from './file-head.js';
import { type TextPlace, textOfHead } from './head-text.js';

/** The content of a file: what was uploaded, or the text that was indexed; undefined if it has none. */
export async function fileContent(head: FileHead, place: TextPlace): Promise<FileContent | undefined> {
  const upload = await uploadedContent(head, place);
  return upload ?? (head.generation === null ? undefined : textOf(head, place));
}

/** What was uploaded for a file; undefined if its content is its text, or if it has none. */
export async function uploadedContent(head: FileHead, place: TextPlace): Promise<FileContent | undefined> {
  if (!head.content) return undefined;
  const { id, size, isUtf8 } = head.content;
  const pieceAt = async (index: number) => {
    const [piece] = await place.contents.pieces(id, { from: index, count: 1 });
    if (piece?.length === Math.min(PART, size - index * PART)) return piece;
    throw await missing(head, place);
  };
  // Now, so that a small content is read whole whatever happens to its file.
  const first = size > 0 ? await pieceAt(0) : new Uint8Array();
  return {
    version: id,
    size,
    isText: false,
    isUtf8,
    async *read({ start, end }: ByteRange = { start: 0, end: size }) {
      for (let at = start; at < end; ) {
        const index = Math.floor(at / PART);
        const piece = index === 0 ? first : await pieceAt(index);
        const from = index * PART;
        yield piece.subarray(at - from, end - from);
        at = from + piece.length;
      }
    },
  };
}

async function textOf(head: FileHead, place: TextPlace): Promise<FileContent> {
  const text = await textOfHead(head, place);
  if (text === undefined) throw replacedContent(head.key);
  const bytes = Buffer.from(text);
  return {
    version: head.hash,
    size: bytes.length,
    isText: true,
    isUtf8: true,
    async *read({ start, end }: ByteRange = { start: 0, end: bytes.length }) {
      if (end > start) yield bytes.subarray(start, end);
    },
  };
}

/** The error for a content that is not there: its file has another one by now, or it has lost it. */
async function missing({ key, content }: FileHead, { heads }: TextPlace): Promise<WaymarkError> {
  if ((await heads.find(key))?.content?.id !== content?.id) return replacedContent(key);
  const message = `The content of ${key} is damaged in the cluster: upload or index the file again.`;
  return new WaymarkError('DATABASE_DAMAGED', message);
}
