import { createHashEmbedder, type SearchEngine } from 'waymark';
import { engineOf } from '../support/engine.js';

/** Dimensions enough that no two words of a test share one: a score is then a matter of shared words alone. */
const DIMENSIONS = 4096;

/** So few that a section of one word is a passage. */
const PASSAGE_TOKENS = 60;

/** An engine that has the given texts, by key, embedded by their words. */
export async function indexed(files: Readonly<Record<string, string>>): Promise<SearchEngine> {
  const model = createHashEmbedder({ dimensions: DIMENSIONS });
  const engine = await engineOf({ model, passageTokens: PASSAGE_TOKENS });
  for (const [key, text] of Object.entries(files)) await engine.indexFile(key, text);
  return engine;
}

/** A file of fifty passages that contain the word and are nearer to it than a passage that does not. */
export function fillers(word: string): Record<string, string> {
  const text = `${word} among some other words that weaken its part in the whole`;
  return { 'filler.md': Array.from({ length: 50 }, (_, i) => `## ${i}\n\n${text}`).join('\n\n') };
}

/** Four passages: an introduction and three sections, the last below the third. */
export const GUIDE = `# Guide

Opening words.

## Install

apples

## Configure

pears

### Limits

plums
`;
