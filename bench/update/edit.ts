import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Embedder, openEmbedder, openEngine } from 'waymark';
import { quantile } from 'waymark/evaluation';
import { timed } from '../http/latencies.js';
import { syntheticDocument } from '../synthetic/document.js';
import { corpusProse } from '../synthetic/prose.js';
import { inTemporaryFolder } from './temporary-folder.js';

export interface EditResult {
  /** Of the file that is edited. */
  readonly passages: number;
  readonly edits: number;
  /** Most passages that were embedded after an edit. */
  readonly embedded: number;
  /** Median from calling `indexFolder` until a search has answered with the new text. */
  readonly milliseconds: number;
  readonly slowest: number;
}

/** One paragraph of a long file is rewritten, again and again, and looked for; with the bundled model. */
export function measureEdit({ sections, edits }: { sections: number; edits: number }): Promise<EditResult> {
  return inTemporaryFolder(async (folder) => {
    const documents = path.join(folder, 'documents');
    mkdirSync(documents);
    const file = path.join(documents, 'long.md');
    const text = syntheticDocument(0, { prose: corpusProse(), sections });
    writeFileSync(file, text);
    const { embedder, counted } = counting((await openEmbedder()).embedder);
    const engine = await openEngine({ database: path.join(folder, 'waymark.db'), model: embedder });
    try {
      await engine.indexFolder(documents);
      const { passages } = await engine.status();
      const times: number[] = [];
      const numbers: number[] = [];
      for (let edit = 0; edit < edits; edit++) {
        const sentence = `Revision ${edit} keeps the heliotrope ledger in drawer ${edit}.`;
        writeFileSync(file, edited(text, { section: 1 + Math.floor((edit * sections) / edits), sentence }));
        const before = counted();
        const milliseconds = await timed(async () => {
          await engine.indexFolder(documents);
          const found = await engine.searchFiles({ query: sentence, contextDepth: 0 });
          if (!found.passages[0]?.content.includes(sentence)) throw new Error(`edit ${edit} is not found`);
        });
        times.push(milliseconds);
        numbers.push(counted() - before);
      }
      const embedded = Math.max(...numbers);
      return { passages, edits, embedded, milliseconds: quantile(times, 0.5), slowest: Math.max(...times) };
    } finally {
      await engine.close();
    }
  });
}

/** The text with the first sentence of a section's paragraph replaced; sections count from 1. */
export function edited(text: string, { section, sentence }: { section: number; sentence: string }): string {
  const parts = text.split('\n## ');
  const part = parts[section];
  if (section < 1 || part === undefined) throw new RangeError(`there is no section ${section}`);
  return parts
    .with(
      section,
      part.replace(/\n\n[^.]*\./, () => `\n\n${sentence}`),
    )
    .join('\n## ');
}

/** The same embedder, which counts the passages that it embeds. */
function counting(embedder: Embedder): { embedder: Embedder; counted: () => number } {
  let count = 0;
  return {
    embedder: {
      card: embedder.card,
      counter: embedder.counter,
      embedPassages: (texts, options) => {
        count += texts.length;
        return embedder.embedPassages(texts, options);
      },
      embedQuery: (text) => embedder.embedQuery(text),
      countTokens: (text) => embedder.countTokens(text),
      close: () => embedder.close(),
    },
    counted: () => count,
  };
}
