import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../usage-error.js';
import { isBeir, loadDocuments } from './beir.js';
import type { Collection } from './collection.js';
import { loadSpans } from './spans.js';

/** A collection in either format, recognised by its files. Throws `UsageError` and `INVALID_ARGUMENT`. */
export function loadCollection(folder: string): Collection {
  const absolute = path.resolve(folder);
  if (!statSync(absolute, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`No folder at ${absolute}: give the folder of a collection.`);
  }
  if (!existsSync(path.join(absolute, 'queries.jsonl'))) {
    throw new UsageError(
      `${absolute} is no collection: it needs queries.jsonl, with corpus.jsonl and qrels.tsv or with markdown beside it.`,
    );
  }
  return isBeir(absolute) ? loadDocuments(absolute) : loadSpans(absolute);
}
