import { textTable } from 'waymark/evaluation';
import { readingLines } from '../support/remark/reading.js';
import { targetLine } from '../support/report/target.js';
import { formatExponent } from '../support/statistics/exponent.js';
import { median } from '../support/statistics/latencies.js';
import { type EmbedResult, type Round, type RoundSeconds, type Shares, sharesOf } from './measure.js';
import type { Growth } from './sizes.js';
import type { WholeIndex } from './whole-index.js';

/** Share of the bare model's throughput that indexing should reach. */
const TARGET = 0.92;

/** Text for the terminal. */
export function embedReport(result: EmbedResult & { readonly growth?: Growth }): string {
  const { files, passages, texts, tokens, rounds, share, growth } = result;
  const lengths = `${texts} texts of ${(tokens / texts).toFixed(1)} tokens on average`;
  return [
    `${passages} passages in ${files} files, ${lengths}; medians of ${rounds.length} rounds`,
    '',
    throughputTable(result),
    phasesTable(rounds.map(({ cold }) => cold)),
    cpuLine(rounds),
    ...shareLines({ rounds, share }),
    '',
    ...readingLines(result.reading),
    ...(growth ? ['', growthTable(growth)] : []),
    '',
  ].join('\n');
}

/** The shares with their target, and of each round. */
export function shareLines(result: { readonly rounds: readonly RoundSeconds[]; readonly share: Shares }): string[] {
  const line = (what: string, of: keyof Shares) => {
    const each = result.rounds.map((round) => sharesOf(round)[of].toFixed(3)).join(', ');
    const target = targetLine(`share of the bare model, ${what}`, { value: result.share[of], least: TARGET });
    return `${target}, by round: ${each}`;
  };
  return [line('model loaded meanwhile', 'cold'), line('model loaded before', 'warm')];
}

function throughputTable({ texts, tokens, rounds, share }: EmbedResult): string {
  const row = (name: string, of: (round: Round) => number, ratio: number) => {
    const seconds = median(rounds.map(of));
    return [name, seconds.toFixed(1), (texts / seconds).toFixed(1), (tokens / seconds).toFixed(0), ratio.toFixed(3)];
  };
  return textTable(['', 'seconds', 'texts/s', 'tokens/s', 'share'], {
    left: 1,
    rows: [
      row('bare model, tokenized before', ({ ceiling }) => ceiling.seconds, 1),
      row('indexing, model loaded before', ({ warm }) => warm.seconds, share.warm),
      row('indexing, model loaded meanwhile', ({ cold }) => cold.seconds, share.cold),
    ],
  });
}

const PHASES = [
  ['walk', 'list and compare files'],
  ['read', 'read, parse, store'],
  ['embed', 'embed, store'],
  ['settle', 'finish'],
] as const;

function phasesTable(runs: readonly WholeIndex[]): string {
  const whole = median(runs.map(({ seconds }) => seconds));
  const rows = PHASES.map(([phase, name]) => {
    const seconds = median(runs.map(({ phases }) => phases[phase]));
    return [name, seconds.toFixed(2), `${((100 * seconds) / whole).toFixed(1)} %`];
  });
  return textTable(['indexing, model loaded meanwhile', 'seconds', 'share'], { left: 1, rows });
}

/** CPU seconds are more reliable than seconds if the machine has other work. */
function cpuLine(rounds: readonly Round[]): string {
  const known = rounds.flatMap(({ ceiling, cold: { cpu } }) =>
    cpu && ceiling.cpu !== undefined ? [{ ...cpu, bare: ceiling.cpu, all: cpu.model + cpu.parsing + cpu.main }] : [],
  );
  if (known.length === 0) return 'CPU seconds are unknown without /proc.';
  const of = (value: (run: (typeof known)[number]) => number) => median(known.map(value));
  const parts = [
    `embedding processes ${of(({ model }) => model).toFixed(1)}`,
    `parse processes ${of(({ parsing }) => parsing).toFixed(1)}`,
    `main process ${of(({ main }) => main).toFixed(1)}`,
  ].join(', ');
  const share = of(({ bare, all }) => bare / all).toFixed(3);
  return `CPU seconds of indexing: ${parts}. The bare model takes ${share} of their sum.`;
}

function growthTable({ sizes, exponents }: Growth): string {
  const rows = [
    ...sizes.map(({ passages, seconds, bytes }) => [
      String(passages),
      seconds.toFixed(1),
      (bytes / 1e6).toFixed(1),
      (bytes / passages).toFixed(0),
    ]),
    ['grows as', formatExponent(exponents.seconds), formatExponent(exponents.bytes), ''],
  ];
  return textTable(['passages', 'seconds', 'database, MB', 'bytes per passage'], { left: 0, rows });
}
