import { defineBenchmark, flag, option, optional } from '../support/cli/benchmark.js';
import { oneOf, positiveInteger, text } from '../support/cli/option-values.js';
import { UsageError } from '../support/cli/usage-error.js';
import { loadCollection } from '../support/collections/load-collection.js';
import { progressLogger } from '../support/report/progress.js';
import { measureAblations } from './ablations/measure.js';
import { ablationsOutcome } from './ablations/report.js';
import { VARIANTS } from './ablations/variants.js';
import { qualityChart } from './chart.js';
import { readEarlierResult } from './earlier-result.js';
import { gather } from './left-out/gather.js';
import { leaveOneOut } from './left-out/measure.js';
import { leftOutOutcome } from './left-out/report.js';
import { measureQuality } from './measure.js';
import { qualityReport } from './report.js';

export const quality = defineBenchmark({
  name: 'quality',
  summary: 'How well a collection is searched: nDCG, recall, reciprocal rank, spans.',
  details: `A collection is a folder in the format of BEIR (corpus.jsonl, queries.jsonl, qrels.tsv), or with
queries.jsonl that names the lines that answer, and markdown in docs/<corpus>/ or beside it. With --limit-queries,
no result is written unless --json is given.`,
  takesCollection: true,
  options: {
    ablations: flag('measure the defaults with one thing changed at a time', ['against', 'index']),
    leaveOneOut: flag('choose the constants anew, leaving out each corpus in turn', [
      'ablations',
      'against',
      'index',
      'limitQueries',
      'fresh',
    ]),
    against: optional('<file>', 'compare with an earlier result, query by query', text),
    limitQueries: optional('<n>', 'ask only so many queries, spaced evenly', positiveInteger),
    model: optional('<model>', 'model folder or hub id (default: the bundled model)', text),
    index: option('<kind>', 'vector index, exact or hnsw; hnsw is compared with exact', {
      parse: oneOf('exact', 'hnsw'),
      default: 'exact',
    }),
    fresh: flag('delete the index of the last run first'),
  },
  async run({ ablations, leaveOneOut: leftOut, against, ...options }, folder) {
    const earlier = against === undefined ? undefined : readEarlierResult(against);
    const collection = loadCollection(folder);
    const limitQueries = options.limitQueries ?? null;
    const settings = { ...options, onProgress: progressLogger() };
    if (leftOut) {
      if (collection.format !== 'spans') throw new UsageError('--leave-one-out needs a collection of several corpora.');
      const { model, queries } = await gather(collection, settings);
      return leftOutOutcome({ collection: collection.name, settings: { model }, ...leaveOneOut(queries) });
    }
    if (ablations) {
      const { model, ...measured } = await measureAblations(collection, { ...settings, variants: VARIANTS });
      return ablationsOutcome({ collection: collection.name, settings: { model, limitQueries }, ...measured });
    }
    const { model, ...measured } = await measureQuality(collection, settings);
    const { index } = options;
    const result = { collection: collection.name, settings: { index, model, limitQueries }, ...measured };
    return {
      report: qualityReport(result, earlier),
      result,
      itemPerLine: 'queries',
      chart: await qualityChart(result),
      file: limitQueries === null ? `quality-${collection.name}` : undefined,
    };
  },
});
