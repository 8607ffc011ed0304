import { defineBenchmark, flag, option } from '../support/cli/benchmark.js';
import { positiveInteger } from '../support/cli/option-values.js';
import { corpusQueries } from '../support/corpus/questions.js';
import { type ChurnResult, measureChurn } from './churn.js';
import { measureEdit } from './edit.js';
import { measureNewFolder } from './new-folder.js';
import { updateReport } from './report.js';
import { measureUnchanged } from './unchanged.js';

/** Few enough for the engine to cache all their embeddings. */
const QUERIES = 100;

export const update = defineBenchmark({
  name: 'update',
  summary: 'What it takes to keep an index up to date.',
  details: `Four cases: files that have not changed, one edited paragraph, files that are all replaced, and a new folder
that is searched while it is indexed.`,
  options: {
    files: option('<n>', 'unchanged files', { parse: positiveInteger, default: '10000' }),
    sections: option('<n>', 'passages of the edited file', { parse: positiveInteger, default: '200' }),
    passages: option('<n>', 'passages of the files that are replaced', { parse: positiveInteger, default: '5000' }),
    rounds: option('<n>', 'replacements, edits, and runs over unchanged files', {
      parse: positiveInteger,
      default: '5',
    }),
    new: option('<n>', 'files of the new folder, 5 KB each', { parse: positiveInteger, default: '1000' }),
    searches: option('<n>', 'searches before and during the indexing of the new folder', {
      parse: positiveInteger,
      default: '300',
    }),
    hnsw: flag('also replace the files of an HNSW index'),
  },
  async run({ files, sections, passages, rounds, new: added, searches, hnsw }) {
    const queries = corpusQueries().slice(0, QUERIES);
    const unchanged = await measureUnchanged({ files, rounds });
    const tenth = await measureUnchanged({ files: Math.ceil(files / 10), rounds });
    const edit = await measureEdit({ sections, edits: rounds });
    const churn: ChurnResult[] = [];
    for (const index of hnsw ? (['exact', 'hnsw'] as const) : (['exact'] as const)) {
      churn.push(await measureChurn({ passages, rounds, index, queries }));
    }
    const newFolder = await measureNewFolder({ files: added, searches, queries });
    const result = { unchanged, tenth, edit, churn, newFolder };
    return { report: updateReport(result), result };
  },
});
