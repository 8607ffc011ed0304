import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../cli/usage-error.js';
import { isBeir, loadDocuments } from './beir.js';
import type { Collection } from './collection.js';
import { loadSpans } from './spans.js';

/** Reads a collection; its files tell the format. Throws `UsageError` and `INVALID_ARGUMENT`. */
export function loadCollection(folder: string): Collection {
  const absolute = path.resolve(folder);
  if (!statSync(absolute, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`There is no folder ${absolute}. Specify the folder of a collection.`);
  }
  if (!existsSync(path.join(absolute, 'queries.jsonl'))) {
    throw new UsageError(
      `${absolute} is not a collection. It needs queries.jsonl, and corpus.jsonl with qrels.tsv, or markdown.`,
    );
  }
  return isBeir(absolute) ? loadDocuments(absolute) : loadSpans(absolute);
}
