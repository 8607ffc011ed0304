import { defineBenchmark, option, optional } from '../support/cli/benchmark.js';
import { existingFolder, positiveInteger, sizes } from '../support/cli/option-values.js';
import { readMarkdown } from '../support/corpus/markdown-files.js';
import { writeCopies } from '../support/corpus/write-copies.js';
import { CORPUS } from '../support/folders/paths.js';
import { inTemporaryFolder } from '../support/folders/temporary-folder.js';
import { growthChart } from './chart.js';
import { measureEmbed } from './measure.js';
import { embedReport } from './report.js';
import { measureSizes } from './sizes.js';

export const embed = defineBenchmark({
  name: 'embed',
  summary: 'How close indexing comes to the throughput of the bare model.',
  details: `Embeds the same texts with bare sessions of the bundled model, then indexes them with Waymark.
The share is the time of the bare model over that of indexing.`,
  options: {
    passages: option('<n>', 'passages, from varied copies of corpus/', { parse: positiveInteger, default: '5000' }),
    folder: optional('<dir>', 'index your own markdown instead', existingFolder),
    rounds: option('<n>', 'rounds, each of the bare model and of indexing', { parse: positiveInteger, default: '3' }),
    sizes: optional('<n,...>', 'also index so many passages each, to see how time and database grow', sizes),
  },
  run({ passages, folder, rounds, sizes }) {
    return inTemporaryFolder(async (copies) => {
      const files = readMarkdown(CORPUS);
      if (folder === undefined) await writeCopies(copies, { files, passages });
      const measured = await measureEmbed(folder ?? copies, { rounds });
      const growth = sizes && (await measureSizes(files, { sizes }));
      const result = { ...measured, ...(growth && { growth }) };
      return { report: embedReport(result), result, ...(growth && { chart: await growthChart(growth) }) };
    });
  },
});
