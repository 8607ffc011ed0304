import { defineBenchmark, flag, option, optional } from '../support/cli/benchmark.js';
import { existingFolder, positiveInteger } from '../support/cli/option-values.js';
import { CORPUS } from '../support/folders/paths.js';
import { measureReading } from '../support/remark/reading.js';
import { measureAnswers } from './answers.js';
import { corporaOf, measureFaults } from './measure.js';
import { passagesReport } from './report.js';

export const passages = defineBenchmark({
  name: 'passages',
  summary: 'How markdown is cut, and how fast: passages with faults, times of bare remark.',
  details: `Counts the passages of each subfolder that say nothing, break a fence, part an introduction from its block,
or embed marks that a reader does not see. The rules are the benchmark's own. Then all is read without a model, beside
bare remark.`,
  options: {
    docs: option('<folder>', 'folder with a subfolder of markdown for each corpus', {
      parse: existingFolder,
      default: CORPUS,
    }),
    examples: optional('<n>', 'show so many passages with each fault, per corpus', positiveInteger),
    answers: flag('also the lines of the first ten answers, to ../queries.jsonl, with the bundled model'),
    rounds: option('<n>', 'rounds, each of reading and of bare remark', { parse: positiveInteger, default: '3' }),
  },
  async run({ docs, examples = 0, answers: ask, rounds }) {
    const folders = corporaOf(docs);
    const corpora = await measureFaults(folders, { examples });
    const answers = ask && (await measureAnswers(docs));
    const reading = await measureReading(
      folders.map(({ folder }) => folder),
      { rounds },
    );
    const result = { corpora, ...(answers && { answers }), reading };
    return { report: passagesReport(result), result };
  },
});
