import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { UsageError } from '../usage-error.js';
import type { Corpus, SpanCollection } from './collection.js';
import { readJsonLines } from './json-lines.js';

const spanSchema = z
  .object({ file: z.string(), startLine: z.int().min(1), endLine: z.int().min(1) })
  .refine(({ startLine, endLine }) => startLine <= endLine, 'endLine is before startLine');

const querySchema = z
  .object({ id: z.string(), corpus: z.string(), type: z.string(), query: z.string(), gold: z.array(spanSchema) })
  .refine(({ type, gold }) => (gold.length === 0) === (type === 'unanswerable'), 'only unanswerable has no gold');

/**
 * Queries with the lines that answer them. Each corpus is the folder `docs/<corpus>`; where there is no `docs`, the
 * folder itself is the one corpus. Throws `UsageError`.
 */
export function loadSpans(folder: string): SpanCollection {
  const file = path.join(folder, 'queries.jsonl');
  const queries = readJsonLines(file, querySchema).map(({ query, gold, ...rest }) => ({
    ...rest,
    text: query,
    spans: gold,
  }));
  const corpora = corporaOf(folder, new Set(queries.map(({ corpus }) => corpus)));
  const folderOf = new Map(corpora.map((corpus) => [corpus.name, corpus.folder]));
  for (const { id, corpus, spans } of queries) {
    // A span that names no file would count as missed by every run.
    const missing = spans.find((span) => !existsSync(path.join(folderOf.get(corpus) ?? '', span.file)));
    if (missing) throw new UsageError(`${file}: the gold of ${id} names ${missing.file}, which is not in ${corpus}.`);
  }
  return { format: 'spans', name: path.basename(folder), corpora, queries };
}

function corporaOf(folder: string, names: ReadonlySet<string>): Corpus[] {
  const docs = path.join(folder, 'docs');
  if (!existsSync(docs)) {
    const [name, another] = names;
    if (name !== undefined && another === undefined) return [{ name, folder }];
    throw new UsageError(`${folder} has no docs folder, so all its queries must be of one corpus.`);
  }
  return [...names].map((name) => {
    const corpus = path.join(docs, name);
    if (existsSync(corpus)) return { name, folder: corpus };
    throw new UsageError(`The queries name the corpus ${name}, but there is no folder ${corpus}.`);
  });
}
