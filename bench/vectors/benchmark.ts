import { installPeers, peerVersions } from '../peers/install.js';
import { defineBenchmark, option, optional } from '../support/cli/benchmark.js';
import { existingFolder, positiveInteger, sizes, someOf } from '../support/cli/option-values.js';
import type { Corpus } from '../support/collections/collection.js';
import { loadCollection } from '../support/collections/load-collection.js';
import { CACHE, CORPUS } from '../support/folders/paths.js';
import { cacheFolderOf, corporaIn } from '../support/indexes/collection-cache.js';
import { vectorsChart } from './chart.js';
import { CONTENDERS } from './contenders/contenders.js';
import { measureVectors } from './measure.js';
import { vectorsReport } from './report.js';

const namesOf = (whose: 'ours' | 'peer') => CONTENDERS.flatMap((one) => (one.whose === whose ? [one.name] : []));
const PEERS = namesOf('peer');

export const vectors = defineBenchmark({
  name: 'vectors',
  summary: 'How fast the nearest vectors are found, beside other indexes for Node.',
  details: `The vectors are the embeddings of corpus/, repeated with noise.
The peers are installed into bench/peers/packages on first use.`,
  options: {
    sizes: option('<n,...>', 'vectors', { parse: sizes, default: '100000,300000' }),
    peers: option('<names>', `all, none, or some of ${PEERS.join(',')}`, { parse: someOf(PEERS), default: 'all' }),
    queries: option('<n>', 'queries', { parse: positiveInteger, default: '200' }),
    rounds: option('<n>', 'rounds; in each, all contenders are asked all queries in turn', {
      parse: positiveInteger,
      default: '3',
    }),
    slowLimit: option('<n>', 'most vectors for orama and vectra', { parse: positiveInteger, default: '100000' }),
    collection: optional('<folder>', 'also use the embeddings of a collection', existingFolder),
  },
  async run({ peers, collection, queries, ...options }) {
    if (peers.length > 0) installPeers();
    const names = new Set([...namesOf('ours'), ...peers]);
    const measured = await measureVectors({ corpora: corporaOf(collection), names, queries, ...options });
    return {
      report: vectorsReport(measured),
      result: { peers: peerVersions(), ...measured },
      chart: await vectorsChart(measured.results),
    };
  },
});

/** corpus/, and the corpora of a collection. */
function corporaOf(collection: string | undefined): readonly Corpus[] {
  const own = { name: 'corpus', folder: CORPUS };
  if (collection === undefined) return [own];
  const loaded = loadCollection(collection);
  return [own, ...corporaIn(cacheFolderOf(loaded, { model: undefined, root: CACHE }), loaded)];
}
