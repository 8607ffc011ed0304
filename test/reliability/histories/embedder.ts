import { setImmediate } from 'node:timers/promises';
import { createHashEmbedder, type Embedder } from 'waymark';
import type { Mood } from './operation.js';

/** The hash embedder in a mood: it takes its time, or fails. */
export function moodyEmbedder(): { readonly embedder: Embedder; readonly be: (mood: Mood) => void } {
  const hash = createHashEmbedder();
  let mood: Mood = { turns: 0, failures: 0 };
  let failed = 0;
  const embedder: Embedder = {
    ...hash,
    async embedPassages(texts, options) {
      for (let turn = 0; turn < mood.turns; turn += 1) await setImmediate();
      if (failed < mood.failures) {
        failed += 1;
        throw new Error('the embedder is down');
      }
      return hash.embedPassages(texts, options);
    },
  };
  const be = (next: Mood) => {
    mood = next;
    failed = 0;
  };
  return { embedder, be };
}
