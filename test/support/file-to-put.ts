import { createHash } from 'node:crypto';
import type { FileToPut, PassageStore } from '#src/storage/passage-store.js';
import { termsOf } from '#src/text/terms.js';

/** A file whose lines are its passages; each is embedded unchanged. */
export function fileToPut(key: string, lines: readonly string[], options: Partial<FileToPut> = {}): FileToPut {
  const text = lines.join('\n');
  let end = -1;
  const passages = lines.map((line, position) => {
    const start = end + 1;
    end = start + line.length;
    const number = position + 1;
    return {
      position,
      start,
      end,
      startLine: number,
      endLine: number,
      breadcrumb: [key],
      subtype: 'paragraph' as const,
      text: line,
      length: line.length,
      postings: { breadcrumb: termsOf(key).join(' '), text: termsOf(line).join(' ') },
    };
  });
  return {
    key,
    text,
    folder: 'docs',
    size: text.length,
    mtime: 1000,
    ctime: 1000,
    inode: 7,
    hash: hashOf(text),
    pipeline: 'pipeline',
    indexedAt: 2000,
    contentType: 'text/markdown',
    title: undefined,
    metadata: {},
    tags: {},
    warnings: [],
    passages,
    ...options,
  };
}

/** The unit vector at an angle, in degrees. */
export function at(degrees: number): Float32Array {
  const radians = (degrees * Math.PI) / 180;
  return Float32Array.of(Math.cos(radians), Math.sin(radians));
}

/** Embeds every pending text: its first number is the angle of its vector, in degrees. */
export async function embedAll(store: PassageStore): Promise<void> {
  const texts = await store.pending({ after: 0, limit: 100_000 });
  await store.putEmbeddings(texts.map(({ id, text }) => ({ id, embedding: at(Number(/\d+/.exec(text)?.[0] ?? 0)) })));
}

/** SHA-256, hex, as a file's row has it. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Puts a file over whatever is stored under its key. */
export async function putNow(store: PassageStore, file: FileToPut): Promise<void> {
  if (await store.put(file, { expected: await store.file(file.key) })) return;
  throw new Error(`${file.key} was changed by somebody else`);
}
