import { textTable } from 'waymark/evaluation';
import { formatNumber, targetLine } from '../support/report/target.js';
import type { Achieved, ClusterResult, SizeResult } from './measure.js';

/** The number of passages whose searches have a target. */
const SIZE = 100_000;

/** Text for the terminal. */
export function clusterReport(result: ClusterResult): string {
  const { sizes, withModel, indexers } = result;
  const rates = indexers.map(({ processes, passagesPerSecond }) => `${processes}: ${formatNumber(passagesPerSecond)}`);
  return [
    ...sizes.map(sizeReport),
    `Passages a second with the model, ${formatNumber(withModel.passages)} passages: ` +
      `database ${formatNumber(withModel.database)}, cluster ${formatNumber(withModel.cluster)}.`,
    `Passages a second by the number of processes that index: ${rates.join(', ')}.`,
    '',
    ...clusterTargets(result),
    '',
  ].join('\n');
}

function sizeReport({ passages, database, cluster, databaseSize, nodes, overlap }: SizeResult): string {
  const row = (name: string, of: (achieved: Achieved) => number) => [
    name,
    formatNumber(of(database)),
    formatNumber(of(cluster)),
  ];
  const loads = database.load.flatMap(({ clients }, i) => {
    const who = clients === 1 ? '1 client' : `${clients} clients`;
    const load = ({ load }: Achieved) => load[i] ?? { p50: 0, p95: 0, perSecond: 0 };
    return [
      row(`asked before, ${who}: p50, ms`, (achieved) => load(achieved).p50),
      row(`asked before, ${who}: p95, ms`, (achieved) => load(achieved).p95),
      row(`asked before, ${who}: searches a second`, (achieved) => load(achieved).perSecond),
    ];
  });
  const table = textTable([`${formatNumber(passages)} passages`, 'database', 'cluster'], {
    left: 1,
    rows: [
      row('passages indexed a second', ({ indexing }) => indexing),
      row('new words, without embedding: p50, ms', ({ busy }) => busy.p50),
      row('new words, without embedding: p95, ms', ({ busy }) => busy.p95),
      ...loads,
    ],
  });
  const memory = nodes.map((node) => formatNumber(node.memory)).join(', ');
  const disk = nodes.map((node) => formatNumber(node.disk)).join(', ');
  return [
    table,
    `MB of the nodes: ${memory} in memory, ${disk} on disk; of the database: ${formatNumber(databaseSize)}.`,
    `Hits of the database that the cluster has, too: ${overlap.toFixed(4)}.`,
    '',
  ].join('\n');
}

export function clusterTargets({ sizes, withModel, indexers }: ClusterResult): string[] {
  const [one, two] = indexers;
  return [
    ...sizes.flatMap(({ passages, database, cluster, overlap }) => {
      const at = `at ${formatNumber(passages)} passages`;
      const alone = cluster.load.find(({ clients }) => clients === 1);
      return [
        targetLine(`indexing without embedding, of the database's rate, ${at}`, {
          value: cluster.indexing / database.indexing,
          least: 0.6,
        }),
        targetLine(`first ten hits of both, ${at}`, { value: overlap, least: 0.98 }),
        ...(passages === SIZE && alone
          ? [targetLine(`a search without embedding, p95, ${at}`, { value: alone.p95, most: 60, unit: 'ms' })]
          : []),
      ];
    }),
    targetLine("indexing with the model, of the database's rate", {
      value: withModel.cluster / withModel.database,
      least: 0.9,
    }),
    ...(one && two
      ? [
          targetLine('two processes that index, of the rate of one', {
            value: two.passagesPerSecond / one.passagesPerSecond,
            least: 1,
          }),
        ]
      : []),
  ];
}
