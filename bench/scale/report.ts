import { textTable } from 'waymark/evaluation';
import { formatNumber } from '../support/report/target.js';
import type { Measured } from './measured.js';
import { COMPRESSIONS, type Machine, type Plan } from './plan.js';
import type { SimulatedLatency } from './simulate-load.js';
import type { SimulatedPlacement } from './simulate-placement.js';

/** Everything that was computed. */
export interface ScaleResult {
  readonly measured: Measured;
  readonly machine: Machine;
  readonly plans: readonly { readonly passages: number; readonly compression: string; readonly plan: Plan }[];
  readonly loads: readonly { readonly nodes: number; readonly busy: number; readonly latency: SimulatedLatency }[];
  readonly placements: readonly {
    readonly bots: number;
    readonly nodes: number;
    readonly fullest: SimulatedPlacement;
  }[];
}

/** Of the table of plans. */
const HEADINGS = [
  ...['passages', 'compression', 'bots', 'nodes', 'for memory', 'for searches'],
  ...['GB memory', 'GB disk', 'hours'],
];

/** Text for the terminal. */
export function scaleReport({ measured, machine, plans, loads, placements }: ScaleResult): string {
  const { passages, memory, disk, growth } = measured;
  const [search, indexing, embedding] = [measured.search, measured.indexing, measured.embedding].map((seconds) =>
    formatNumber(seconds * 1000),
  );
  return [
    `Measured with ${formatNumber(passages)} passages on three nodes:`,
    `  ${formatNumber(memory)} bytes of memory and ${formatNumber(disk)} bytes of disk for each passage and replica;`,
    `  ${search} ms of a core for a search, growing as n^${growth.toFixed(2)};`,
    `  ${indexing} ms of a core to index a passage, ${embedding} to embed it.`,
    '',
    `Nodes with ${machine.cores} cores and ${machine.memory} GB, three replicas:`,
    textTable(HEADINGS, {
      left: 2,
      rows: plans.map(({ passages: of, compression, plan }) => [
        formatNumber(of),
        compression,
        formatNumber(plan.bots),
        formatNumber(plan.nodes.all),
        formatNumber(plan.nodes.forMemory),
        formatNumber(plan.nodes.forSearches),
        formatNumber(plan.memory),
        formatNumber(plan.disk),
        formatNumber(plan.hours.nodes),
      ]),
    }),
    `Hours of one machine of two cores that embeds: ${embeddingHours(plans)}.`,
    '',
    'Simulated searches:',
    textTable(['nodes', 'busy', 'p50, ms', 'p95, ms'], {
      left: 0,
      rows: loads.map(({ nodes, busy, latency }) => [
        formatNumber(nodes),
        `${busy * 100} %`,
        formatNumber(latency.p50 * 1000),
        formatNumber(latency.p95 * 1000),
      ]),
    }),
    'The fullest node, as a multiple of the mean, simulated:',
    textTable(['bots', 'nodes', 'filled in turn', 'created first'], {
      left: 0,
      rows: placements.map(({ bots, nodes, fullest }) => [
        formatNumber(bots),
        formatNumber(nodes),
        fullest.filledInTurn.toFixed(2),
        fullest.createdFirst.toFixed(2),
      ]),
    }),
    '',
  ].join('\n');
}

function embeddingHours(plans: ScaleResult['plans']): string {
  const ofEach = plans.filter(({ compression }) => compression === COMPRESSIONS[0]?.name);
  return ofEach
    .map(({ passages, plan }) => `${formatNumber(plan.hours.embedding)} for ${formatNumber(passages)} passages`)
    .join(', ');
}
