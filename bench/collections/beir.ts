import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { UsageError } from '../usage-error.js';
import type { DocumentCollection, DocumentQuery } from './collection.js';
import { readJsonLines } from './json-lines.js';

const documentSchema = z.object({ _id: z.string(), title: z.string().default(''), text: z.string() });
const querySchema = z.object({ _id: z.string(), text: z.string() });

/** Beside the others here; in BEIR's own archives in a folder, a file a split. */
const QRELS = ['qrels.tsv', path.join('qrels', 'test.tsv')];

export function isBeir(folder: string): boolean {
  return existsSync(path.join(folder, 'corpus.jsonl'));
}

/** A collection in BEIR's format. Throws `UsageError`. */
export function loadDocuments(folder: string): DocumentCollection {
  const qrels = QRELS.map((name) => path.join(folder, name)).find((file) => existsSync(file));
  if (!qrels) throw new UsageError(`${folder} has a corpus.jsonl, but lacks ${QRELS.join(' or ')}.`);
  const judged = readQrels(qrels);
  return {
    format: 'documents',
    name: path.basename(folder),
    documents: readJsonLines(path.join(folder, 'corpus.jsonl'), documentSchema).map(({ _id, title, text }) => ({
      id: _id,
      title,
      text,
    })),
    // queries.jsonl may hold those of other splits: what nobody judged says nothing.
    queries: readJsonLines(path.join(folder, 'queries.jsonl'), querySchema).flatMap(
      ({ _id, text }): DocumentQuery[] => {
        const judgements = judged.get(_id);
        return judgements ? [{ id: _id, text, judgements }] : [];
      },
    ),
  };
}

function readQrels(file: string): Map<string, Map<string, number>> {
  const judged = new Map<string, Map<string, number>>();
  const [, ...lines] = readFileSync(file, 'utf8').split(/\r?\n/);
  for (const [i, line] of lines.entries()) {
    if (line === '') continue;
    const [query, document, score] = line.split('\t');
    const relevance = Number(score);
    if (!query || !document || !score || !Number.isFinite(relevance)) {
      throw new UsageError(`${file} line ${i + 2} is not "query-id<tab>corpus-id<tab>score".`);
    }
    judged.set(query, (judged.get(query) ?? new Map<string, number>()).set(document, relevance));
  }
  return judged;
}
