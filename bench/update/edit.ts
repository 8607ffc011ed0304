import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openEmbedder, openEngine } from 'waymark';
import { overriding } from '../support/embedders/overriding.js';
import { inTemporaryFolder } from '../support/folders/temporary-folder.js';
import { median, timed } from '../support/statistics/latencies.js';
import { syntheticDocument } from '../support/synthetic/document.js';
import { corpusProse } from '../support/synthetic/prose.js';

export interface EditResult {
  /** Passages of the edited file. */
  readonly passages: number;
  readonly edits: number;
  /** The most passages that an edit embedded. */
  readonly embedded: number;
  /** Median from the call of `indexFolder` until a search has returned the new text. */
  readonly milliseconds: number;
  readonly slowest: number;
}

/** Rewrites one paragraph of a long file several times and searches for it, with the bundled model. */
export function measureEdit({ sections, edits }: { sections: number; edits: number }): Promise<EditResult> {
  return inTemporaryFolder(async (folder) => {
    const documents = path.join(folder, 'documents');
    mkdirSync(documents);
    const file = path.join(documents, 'long.md');
    const text = syntheticDocument(0, { prose: corpusProse(), sections });
    writeFileSync(file, text);
    const { embedder } = await openEmbedder();
    let embedded = 0;
    const model = overriding(embedder, {
      embedPassages: (texts, options) => {
        embedded += texts.length;
        return embedder.embedPassages(texts, options);
      },
    });
    const engine = await openEngine({ database: path.join(folder, 'waymark.db'), model });
    try {
      await engine.indexFolder(documents);
      const { passages } = await engine.status();
      const times: number[] = [];
      let most = 0;
      for (let edit = 0; edit < edits; edit++) {
        const sentence = `Revision ${edit} keeps the heliotrope ledger in drawer ${edit}.`;
        writeFileSync(file, edited(text, { section: 1 + Math.floor((edit * sections) / edits), sentence }));
        embedded = 0;
        const milliseconds = await timed(async () => {
          await engine.indexFolder(documents);
          const found = await engine.searchFiles({ query: sentence, contextDepth: 0 });
          if (!found.passages[0]?.content.includes(sentence)) throw new Error(`Edit ${edit} was not found.`);
        });
        times.push(milliseconds);
        most = Math.max(most, embedded);
      }
      return { passages, edits, embedded: most, milliseconds: median(times), slowest: Math.max(...times) };
    } finally {
      await engine.close();
    }
  });
}

/** The text with the first sentence of a section replaced; sections count from 1. Throws `RangeError`. */
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
