import { existsSync } from 'node:fs';
import path from 'node:path';
import { readQuestions } from 'waymark/evaluation';
import { UsageError } from '../cli/usage-error.js';
import type { Corpus, SpanCollection } from './collection.js';

/**
 * Reads questions with the lines that answer them. The corpora are the folders `docs/<corpus>`; without `docs`, the
 * folder itself is the only corpus. Throws `UsageError` and `INVALID_ARGUMENT`.
 */
export function loadSpans(folder: string): SpanCollection {
  const name = path.basename(folder);
  const file = path.join(folder, 'queries.jsonl');
  const queries = readQuestions(file).map((question) => ({ ...question, corpus: question.corpus ?? name }));
  const corpora = corporaOf(folder, new Set(queries.map(({ corpus }) => corpus)));
  const folderOf = new Map(corpora.map((corpus) => [corpus.name, corpus.folder]));
  for (const { id, corpus, spans } of queries) {
    // A span in a missing file would count as missed by every run.
    const missing = spans.find((span) => !existsSync(path.join(folderOf.get(corpus) ?? '', span.file)));
    if (missing)
      throw new UsageError(`${file}: the gold of ${id} is in ${missing.file}, which ${corpus} does not have.`);
  }
  return { format: 'spans', name, corpora, queries };
}

function corporaOf(folder: string, names: ReadonlySet<string>): Corpus[] {
  const docs = path.join(folder, 'docs');
  if (!existsSync(docs)) {
    const [name, another] = names;
    if (name !== undefined && another === undefined) return [{ name, folder }];
    throw new UsageError(`${folder} has no docs folder, so all its queries must have the same corpus.`);
  }
  return [...names].map((name) => {
    const corpus = path.join(docs, name);
    if (existsSync(corpus)) return { name, folder: corpus };
    throw new UsageError(`There is no folder ${corpus} for the corpus ${name} of the queries.`);
  });
}
