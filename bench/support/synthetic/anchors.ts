import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Embedder } from 'waymark';
import { CACHE } from '../folders/paths.js';
import { corpusProse } from './prose.js';

/** Characters of a paragraph that are embedded; any model reads as many. */
const LENGTH = 800;

/** Embeddings of the paragraphs of corpus/, computed once and cached. */
export async function corpusAnchors(embedder: Embedder): Promise<Float32Array[]> {
  const paragraphs = corpusProse().paragraphs.map((paragraph) => paragraph.slice(0, LENGTH));
  const { dimensions, fingerprint } = embedder.card;
  const hash = createHash('sha256').update(JSON.stringify([fingerprint, paragraphs]));
  const file = path.join(CACHE, `anchors-${hash.digest('hex').slice(0, 16)}`);
  if (!existsSync(file)) write(file, await embedder.embedPassages(paragraphs));
  const bytes = readFileSync(file);
  const all = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  return paragraphs.map((_, i) => all.subarray(i * dimensions, (i + 1) * dimensions));
}

/** Writes the file whole or not at all: another process may do the same. */
function write(file: string, vectors: readonly Float32Array[]): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const partial = `${file}-${process.pid}`;
  writeFileSync(
    partial,
    Buffer.concat(vectors.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength))),
  );
  renameSync(partial, file);
}
