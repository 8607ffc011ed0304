import { defineBenchmark, option, optional } from '../support/cli/benchmark.js';
import { existingFolder, positiveInteger } from '../support/cli/option-values.js';
import { CORPUS } from '../support/folders/paths.js';
import { corporaOf, measureFaults } from './measure.js';
import { passagesReport } from './report.js';

export const passages = defineBenchmark({
  name: 'passages',
  summary: 'How markdown is cut: passages with faults.',
  details: `Counts the passages of each subfolder that say nothing, break a fence, part an introduction from its block,
or embed marks that a reader does not see. The rules are the benchmark's own.`,
  options: {
    docs: option('<folder>', 'folder with a subfolder of markdown for each corpus', {
      parse: existingFolder,
      default: CORPUS,
    }),
    examples: optional('<n>', 'show so many passages with each fault, per corpus', positiveInteger),
  },
  async run({ docs, examples = 0 }) {
    const corpora = await measureFaults(corporaOf(docs), { examples });
    const result = { corpora };
    return { report: passagesReport(result), result };
  },
});
