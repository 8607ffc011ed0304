import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Embedder, openEmbedder } from 'waymark';
import type { RankedPassage } from 'waymark/evaluation';
import type { Corpus, SpanCollection } from '../collections/collection.js';
import { queriesOf } from '../collections/queries.js';
import { type Latencies, latenciesOf } from '../http/latencies.js';
import { evaluate, type QueryResult } from '../quality/evaluate.js';
import { type SummaryRow, summarise } from '../quality/summary.js';
import type { Contender, Indexed } from './contenders/contender.js';
import { remembering } from './remember.js';

/** How a contender did over a collection. */
export interface ContenderResult {
  readonly name: string;
  readonly mode: string;
  readonly passages: number;
  /** Seconds from the folder to an index that answers; without, the same with all embeddings at hand. */
  readonly indexing: { readonly withEmbedding: number; readonly without: number };
  /** Milliseconds of a search for ten; without, the same with the query's embedding at hand. */
  readonly latency: { readonly withEmbedding: Latencies; readonly without: Latencies };
  readonly summary: readonly SummaryRow[];
  readonly queries: readonly QueryResult[];
}

/** What is gathered of a contender, corpus by corpus. */
interface Gathered {
  readonly contender: Contender;
  /** Its own: one keeps the embeddings of queries, and who asks second would have them for nothing. */
  readonly embedder: Embedder;
  passages: number;
  readonly seconds: { withEmbedding: number; without: number };
  readonly times: { readonly withEmbedding: number[]; readonly without: number[] };
  readonly answers: Map<string, readonly RankedPassage[]>;
}

export interface PeersOptions {
  readonly contenders: readonly Contender[];
  /** Characters of the peers' chunks at most. */
  readonly chunkSize: number;
  readonly onProgress: (line: string) => void;
}

/** The same markdown, model and questions through all contenders; each question is asked of all in turn. */
export async function measurePeers(
  collection: SpanCollection,
  { contenders, ...options }: PeersOptions,
): Promise<{ readonly model: string; readonly results: readonly ContenderResult[] }> {
  const records: Gathered[] = [];
  try {
    for (const contender of contenders) records.push(await gathering(contender));
    for (const corpus of collection.corpora) await measureCorpus(corpus, { collection, records, ...options });
    const [model] = records.map(({ embedder }) => embedder.card.id);
    return { model: model ?? '', results: records.map((record) => resultOf(collection, record)) };
  } finally {
    for (const { embedder } of records) await embedder.close();
  }
}

async function gathering(contender: Contender): Promise<Gathered> {
  const { embedder } = await openEmbedder();
  // Processes start, and the model is loaded, with the first text.
  await embedder.embedPassages(['warm-up']);
  return {
    contender,
    embedder,
    passages: 0,
    seconds: { withEmbedding: 0, without: 0 },
    times: { withEmbedding: [], without: [] },
    answers: new Map(),
  };
}

async function measureCorpus(
  corpus: Corpus,
  options: Omit<PeersOptions, 'contenders'> & { collection: SpanCollection; records: readonly Gathered[] },
): Promise<void> {
  const { collection, records, chunkSize, onProgress } = options;
  const storage = mkdtempSync(path.join(tmpdir(), 'waymark-bench-peers-'));
  const open: { record: Gathered; indexed: Indexed }[] = [];
  try {
    for (const record of records) {
      onProgress(`${corpus.name}: indexing by ${record.contender.name}`);
      const embedder = remembering(record.embedder);
      const index = async (kind: 'withEmbedding' | 'without') => {
        const place = mkdtempSync(path.join(storage, `${record.contender.name}-`));
        const started = performance.now();
        const source = { folder: corpus.folder, embedder, storage: place, chunkSize };
        const indexed = await record.contender.index(source);
        record.seconds[kind] += (performance.now() - started) / 1000;
        return indexed;
      };
      await (await index('withEmbedding')).close();
      const indexed = await index('without');
      record.passages += indexed.passages;
      open.push({ record, indexed });
    }
    onProgress(`${corpus.name}: asking`);
    await ask(open, queriesOf(collection, corpus));
  } finally {
    for (const { indexed } of open) await indexed.close();
    rmSync(storage, { recursive: true, force: true });
  }
}

async function ask(
  open: readonly { readonly record: Gathered; readonly indexed: Indexed }[],
  queries: readonly { readonly id: string; readonly text: string }[],
): Promise<void> {
  for (const { indexed } of open) await indexed.search('warm-up');
  for (const [i, { id, text }] of queries.entries()) {
    // Who is first has the colder caches: that goes round.
    for (let j = 0; j < open.length; j++) {
      const one = open[(i + j) % open.length];
      if (!one) continue;
      const { record, indexed } = one;
      for (const kind of ['withEmbedding', 'without'] as const) {
        const started = performance.now();
        record.answers.set(id, await indexed.search(text));
        record.times[kind].push(performance.now() - started);
      }
    }
  }
}

function resultOf(
  collection: SpanCollection,
  { contender: { name, mode }, passages, seconds, times, answers }: Gathered,
): ContenderResult {
  const queries = evaluate(collection, answers);
  const latency = { withEmbedding: latenciesOf(times.withEmbedding), without: latenciesOf(times.without) };
  return { name, mode, passages, indexing: seconds, latency, summary: summarise(queries), queries };
}
