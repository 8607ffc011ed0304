import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { type Embedder, openEmbedder } from 'waymark';
import type { RankedPassage } from 'waymark/evaluation';
import { type EvaluatedQuery, evaluate } from '../quality/evaluate.js';
import { type CorpusSummaryRow, summariseCorpora } from '../quality/summary.js';
import type { Corpus, SpanCollection } from '../support/collections/collection.js';
import { queriesOf } from '../support/collections/queries.js';
import { remembering } from '../support/embedders/remembering.js';
import { inTemporaryFolder } from '../support/folders/temporary-folder.js';
import { log } from '../support/report/progress.js';
import { type Latencies, latenciesOf, timed } from '../support/statistics/latencies.js';
import type { Contender, Indexed } from './contenders/contender.js';

/** What a contender costs and how well it answers. */
export interface ContenderResult {
  readonly name: string;
  readonly mode: string;
  readonly passages: number;
  /** Seconds from the folder to an index that answers; `without` has all embeddings cached. */
  readonly indexing: { readonly withEmbedding: number; readonly without: number };
  /** Milliseconds of a search for ten passages; `without` has the embedding of the query cached. */
  readonly latency: { readonly withEmbedding: Latencies; readonly without: Latencies };
  readonly summary: readonly CorpusSummaryRow[];
  readonly queries: readonly EvaluatedQuery[];
}

export interface PeersOptions {
  readonly contenders: readonly Contender[];
  /** Most characters of the peers' chunks. */
  readonly chunkSize: number;
}

/** The figures of a contender, gathered corpus by corpus. */
interface Run {
  readonly contender: Contender;
  /** Each contender has its own: a shared cache of queries would favour the second. */
  readonly embedder: Embedder;
  passages: number;
  readonly seconds: { withEmbedding: number; without: number };
  readonly times: { readonly withEmbedding: number[]; readonly without: number[] };
  readonly answers: Map<string, readonly RankedPassage[]>;
}

interface OpenRun {
  readonly run: Run;
  readonly indexed: Indexed;
}

/** Indexes the collection with every contender, then asks each question of all of them in turn. */
export async function measurePeers(
  collection: SpanCollection,
  { contenders, chunkSize }: PeersOptions,
): Promise<{ readonly model: string; readonly results: readonly ContenderResult[] }> {
  const runs: Run[] = [];
  try {
    for (const contender of contenders) runs.push(await startRun(contender));
    for (const corpus of collection.corpora) await measureCorpus(corpus, { collection, runs, chunkSize });
    const [model] = runs.map(({ embedder }) => embedder.card.id);
    return { model: model ?? '', results: runs.map((run) => resultOf(collection, run)) };
  } finally {
    for (const { embedder } of runs) await embedder.close();
  }
}

async function startRun(contender: Contender): Promise<Run> {
  const { embedder } = await openEmbedder();
  // The first text starts the embedding processes, which load the model.
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

function measureCorpus(
  corpus: Corpus,
  { collection, runs, chunkSize }: { collection: SpanCollection; runs: readonly Run[]; chunkSize: number },
): Promise<void> {
  return inTemporaryFolder(async (storage) => {
    const open: OpenRun[] = [];
    try {
      for (const run of runs) {
        log(`${corpus.name}: indexing with ${run.contender.name}`);
        open.push({ run, indexed: await indexTwice(run, { folder: corpus.folder, storage, chunkSize }) });
      }
      log(`${corpus.name}: asking`);
      await ask(open, queriesOf(collection, corpus));
    } finally {
      for (const { indexed } of open) await indexed.close();
    }
  });
}

/** Indexes without and then with cached embeddings; the second index is asked. */
async function indexTwice(
  run: Run,
  { folder, storage, chunkSize }: { folder: string; storage: string; chunkSize: number },
): Promise<Indexed> {
  const embedder = remembering(run.embedder);
  const index = async (kind: 'withEmbedding' | 'without') => {
    const place = mkdtempSync(path.join(storage, `${run.contender.name}-`));
    const started = performance.now();
    const indexed = await run.contender.index({ folder, embedder, storage: place, chunkSize });
    run.seconds[kind] += (performance.now() - started) / 1000;
    return indexed;
  };
  await (await index('withEmbedding')).close();
  const indexed = await index('without');
  run.passages += indexed.passages;
  return indexed;
}

async function ask(
  open: readonly OpenRun[],
  queries: readonly { readonly id: string; readonly text: string }[],
): Promise<void> {
  for (const { indexed } of open) await indexed.search('warm-up');
  for (const [i, { id, text }] of queries.entries()) {
    // The first contender meets colder caches, so the order rotates.
    const first = i % open.length;
    for (const { run, indexed } of [...open.slice(first), ...open.slice(0, first)]) {
      for (const kind of ['withEmbedding', 'without'] as const) {
        const time = await timed(async () => {
          run.answers.set(id, await indexed.search(text));
        });
        run.times[kind].push(time);
      }
    }
  }
}

function resultOf(
  collection: SpanCollection,
  { contender: { name, mode }, passages, seconds, times, answers }: Run,
): ContenderResult {
  const queries = evaluate(collection, answers);
  const latency = { withEmbedding: latenciesOf(times.withEmbedding), without: latenciesOf(times.without) };
  return { name, mode, passages, indexing: seconds, latency, summary: summariseCorpora(queries), queries };
}
