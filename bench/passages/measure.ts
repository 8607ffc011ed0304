import { readdirSync } from 'node:fs';
import path from 'node:path';
import { openEmbedder } from 'waymark';
import { UsageError } from '../support/cli/usage-error.js';
import type { Corpus } from '../support/collections/collection.js';
import { readMarkdown } from '../support/corpus/markdown-files.js';
import { log } from '../support/report/progress.js';
import { cutFiles } from './cut-files.js';
import { FAULTS, type Fault, judge, type Place } from './faults.js';

/** How the markdown of a corpus is cut. */
export interface CorpusFaults {
  readonly corpus: string;
  readonly files: number;
  readonly passages: number;
  readonly faults: Readonly<Record<Fault, number>>;
  /** The first passages with each fault. */
  readonly examples: Readonly<Partial<Record<Fault, readonly Place[]>>>;
}

/** The subfolders with markdown; the folder itself if there are none. Throws `UsageError` if it has no markdown. */
export function corporaOf(folder: string): Corpus[] {
  const subfolders = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, folder: path.join(folder, name) }));
  const corpora = [...subfolders, { name: path.basename(path.resolve(folder)), folder }];
  const found = corpora.filter((corpus) => readMarkdown(corpus.folder).length > 0);
  if (found.length === 0) throw new UsageError(`There is no markdown in ${folder}.`);
  return found.length === 1 ? found : found.slice(0, -1);
}

/** Cuts each corpus and counts its faults. */
export async function measureFaults(
  corpora: readonly Corpus[],
  { examples }: { readonly examples: number },
): Promise<CorpusFaults[]> {
  const { embedder } = await openEmbedder();
  try {
    const results: CorpusFaults[] = [];
    for (const { name, folder } of corpora) {
      const files = await cutFiles(readMarkdown(folder));
      const places = await judge(files, { countTokens: (text) => embedder.countTokens(text) });
      const passages = files.reduce((sum, file) => sum + file.passages.length, 0);
      log(`${name}: ${passages} passages judged`);
      const found = (Object.keys(FAULTS) as Fault[]).filter((fault) => places[fault].length > 0);
      results.push({
        corpus: name,
        files: files.length,
        passages,
        faults: mapFaults((fault) => places[fault].length),
        examples: Object.fromEntries(found.map((fault) => [fault, spaced(places[fault], examples)])),
      });
    }
    return results;
  } finally {
    await embedder.close();
  }
}

export function mapFaults<Value>(value: (fault: Fault) => Value): Record<Fault, Value> {
  const names = Object.keys(FAULTS) as Fault[];
  return Object.fromEntries(names.map((fault) => [fault, value(fault)])) as Record<Fault, Value>;
}

/** At most so many of a list, from all over it. */
function spaced<Item>(items: readonly Item[], most: number): Item[] {
  const count = Math.min(most, items.length);
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)]).filter(
    (item) => item !== undefined,
  );
}
