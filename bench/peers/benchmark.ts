import { defineBenchmark, option } from '../support/cli/benchmark.js';
import { positiveInteger } from '../support/cli/option-values.js';
import { UsageError } from '../support/cli/usage-error.js';
import { loadCollection } from '../support/collections/load-collection.js';
import { peersChart } from './chart.js';
import { CONTENDERS } from './contenders/contenders.js';
import { installPeers, peerVersions } from './install.js';
import { measurePeers } from './measure.js';
import { peersReport } from './report.js';

export const peers = defineBenchmark({
  name: 'peers',
  summary: 'Cost and quality beside pipelines of other libraries for Node.',
  details: `The same markdown, model and questions through Waymark, and through a markdown splitter
(@langchain/textsplitters) with @orama/orama or vectra. The peers are installed into bench/peers/packages on first use.
Takes a collection with the lines that answer, not one in the format of BEIR.`,
  takesCollection: true,
  options: {
    chunkSize: option(
      '<n>',
      "most characters of the peers' chunks; 800 is about the most of a passage, 400 makes as many chunks as passages",
      { parse: positiveInteger, default: '800' },
    ),
  },
  async run({ chunkSize }, folder) {
    const collection = loadCollection(folder);
    if (collection.format !== 'spans') {
      throw new UsageError(`${folder} judges documents, not lines. Specify a collection with the lines that answer.`);
    }
    installPeers();
    const measured = await measurePeers(collection, { contenders: CONTENDERS, chunkSize });
    const result = { collection: collection.name, peers: peerVersions(), chunkSize, ...measured };
    return { report: peersReport(measured.results), result, itemPerLine: 'queries', chart: await peersChart(result) };
  },
});
