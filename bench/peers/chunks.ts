import type { Embedder } from 'waymark';
import { readMarkdown } from '../support/corpus/markdown-files.js';
import { importPeer } from './install.js';
import { type LocatedPiece, locatePieces } from './locate-pieces.js';

/** A piece of a markdown file. "Chunk" is the word of the peers for a passage. */
export interface Chunk extends LocatedPiece {
  readonly file: string;
}

/** What is used of @langchain/textsplitters. */
interface TextSplitters {
  readonly MarkdownTextSplitter: new (options: {
    chunkSize: number;
    chunkOverlap: number;
  }) => { splitText(text: string): Promise<string[]> };
}

/** Splits the markdown in a folder as a user of the peers would; without overlap, like passages of Waymark. */
export async function chunksOf(folder: string, { chunkSize }: { readonly chunkSize: number }): Promise<Chunk[]> {
  const { MarkdownTextSplitter } = await importPeer<TextSplitters>('@langchain/textsplitters');
  const splitter = new MarkdownTextSplitter({ chunkSize, chunkOverlap: 0 });
  const chunks: Chunk[] = [];
  for (const { key, text } of readMarkdown(folder)) {
    for (const piece of locatePieces(text, await splitter.splitText(text))) chunks.push({ file: key, ...piece });
  }
  return chunks;
}

/** Embeddings of chunks. A chunk that is too long for the model is truncated, as other embedders do. */
export async function embedChunks(chunks: readonly Chunk[], embedder: Embedder): Promise<Float32Array[]> {
  const texts = await Promise.all(chunks.map(({ text }) => truncated(text, embedder)));
  return embedder.embedPassages(texts);
}

async function truncated(text: string, embedder: Embedder): Promise<string> {
  const tokens = await embedder.countTokens(text);
  const { maxTokens } = embedder.card;
  if (tokens <= maxTokens) return text;
  return truncated(text.slice(0, Math.floor((text.length * maxTokens) / tokens) - 1).toWellFormed(), embedder);
}
