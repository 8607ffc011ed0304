import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Embedder } from 'waymark';
import { importPeer } from './install.js';
import { type Placed, placed } from './placed.js';

/** A piece of markdown of a file, the peers' unit: "chunk" is their word. */
export interface Chunk extends Placed {
  readonly file: string;
}

/** What is used of @langchain/textsplitters. */
interface TextSplitters {
  readonly MarkdownTextSplitter: new (options: {
    chunkSize: number;
    chunkOverlap: number;
  }) => { splitText(text: string): Promise<string[]> };
}

/** The markdown of a folder as a user of the peers cuts it. Without overlap, like Waymark's passages. */
export async function chunksOf(folder: string, { chunkSize }: { readonly chunkSize: number }): Promise<Chunk[]> {
  const { MarkdownTextSplitter } = await importPeer<TextSplitters>('@langchain/textsplitters');
  const splitter = new MarkdownTextSplitter({ chunkSize, chunkOverlap: 0 });
  const chunks: Chunk[] = [];
  for (const file of markdownIn(folder)) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    for (const chunk of placed(text, await splitter.splitText(text))) chunks.push({ file, ...chunk });
  }
  return chunks;
}

function markdownIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.md') && !/(^|\/)(\.|node_modules\/)/.test(file))
    .sort();
}

/** The embeddings of chunks; of one that is longer than the model reads, of its beginning, as other embedders do. */
export async function embedChunks(chunks: readonly Chunk[], embedder: Embedder): Promise<Float32Array[]> {
  const texts = await Promise.all(chunks.map(({ text }) => cut(text, embedder)));
  return embedder.embedPassages(texts);
}

async function cut(text: string, embedder: Embedder): Promise<string> {
  const tokens = await embedder.countTokens(text);
  const { maxTokens } = embedder.card;
  if (tokens <= maxTokens) return text;
  return cut(text.slice(0, Math.floor((text.length * maxTokens) / tokens) - 1).toWellFormed(), embedder);
}
