import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readJsonLines } from 'waymark/evaluation';
import { z } from 'zod';
import { UsageError } from '../cli/usage-error.js';
import type { DocumentCollection, DocumentQuery } from './collection.js';

const text = z.string('must be a string');
const documentSchema = z.object({ _id: text, title: text.default(''), text }, 'must be a JSON object');
const querySchema = z.object({ _id: text, text }, 'must be a JSON object');

/** Beside the other files, or, as in the archives of BEIR, one file per split in a folder. */
const QRELS = ['qrels.tsv', path.join('qrels', 'test.tsv')];

export function isBeir(folder: string): boolean {
  return existsSync(path.join(folder, 'corpus.jsonl'));
}

/** Reads a collection in the format of BEIR. Throws `UsageError` and `INVALID_ARGUMENT`. */
export function loadDocuments(folder: string): DocumentCollection {
  const qrels = QRELS.map((name) => path.join(folder, name)).find((file) => existsSync(file));
  if (!qrels) throw new UsageError(`${folder} has corpus.jsonl, but neither ${QRELS.join(' nor ')}.`);
  const judged = readQrels(qrels);
  const documents = readJsonLines(path.join(folder, 'corpus.jsonl'), documentSchema);
  const queries = readJsonLines(path.join(folder, 'queries.jsonl'), querySchema).flatMap(
    ({ value }): DocumentQuery[] => {
      // queries.jsonl may contain the queries of other splits, which have no judgements here.
      const judgements = judged.get(value._id);
      return judgements ? [{ id: value._id, text: value.text, judgements }] : [];
    },
  );
  if (queries.length === 0) throw new UsageError(`${folder} has no query with judgements.`);
  const ids = new Set(queries.map(({ id }) => id));
  if (ids.size < queries.length) throw new UsageError(`${folder} uses the id of a query twice. Ids must be unique.`);
  return {
    format: 'documents',
    name: path.basename(folder),
    documents: documents.map(({ value: { _id, ...document } }) => ({ id: _id, ...document })),
    queries,
  };
}

function readQrels(file: string): Map<string, Map<string, number>> {
  const judged = new Map<string, Map<string, number>>();
  const [heading = '', ...lines] = readFileSync(file, 'utf8').split(/\r?\n/);
  // Without headings the first judgement would be lost.
  if (/\t-?\d+$/.test(heading)) throw new UsageError(`${file} must begin with a line of headings.`);
  for (const [i, line] of lines.entries()) {
    if (line === '') continue;
    const [query, document, score] = line.split('\t');
    const relevance = Number(score);
    if (!query || !document || !score || !Number.isFinite(relevance)) {
      throw new UsageError(`${file} line ${i + 2} must be "query-id<tab>corpus-id<tab>score".`);
    }
    judged.set(query, (judged.get(query) ?? new Map<string, number>()).set(document, relevance));
  }
  return judged;
}
