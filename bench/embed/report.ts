import { textTable } from 'waymark/evaluation';
import { type EmbedResult, median, type Round, type Shares, sharesOf } from './embed.js';
import type { Growth } from './sizes.js';
import type { WholeIndex } from './whole-index.js';

/** Share of the ceiling that indexing is to reach. */
const TARGET = 0.92;

/** A result as a person reads it. */
export function report(result: EmbedResult & { readonly growth?: Growth }, { cores }: { cores: number }): string {
  const { files, passages, texts, tokens, rounds, share, growth } = result;
  return [
    `${passages} passages of ${files} files, ${texts} different texts of ${(tokens / texts).toFixed(1)} tokens; medians of ${rounds.length} rounds`,
    '',
    ratesTable(result),
    phasesTable(rounds.map(({ cold }) => cold)),
    cpuLine(rounds, { cores }),
    verdict('From the call', { rounds, share, of: 'cold' }),
    verdict('With the model loaded before', { rounds, share, of: 'warm' }),
    ...(growth ? ['', growthTable(growth)] : []),
    '',
  ].join('\n');
}

export function verdict(
  what: string,
  run: {
    readonly rounds: readonly Parameters<typeof sharesOf>[0][];
    readonly share: Shares;
    readonly of: keyof Shares;
  },
): string {
  const share = run.share[run.of];
  const each = run.rounds.map((round) => sharesOf(round)[run.of].toFixed(3)).join(', ');
  const met = share >= TARGET ? 'reached' : 'missed';
  return `${what}, indexing runs at ${share.toFixed(3)} of the ceiling (rounds: ${each}); the target of ${TARGET} is ${met}.`;
}

function ratesTable({ texts, tokens, rounds, share }: EmbedResult): string {
  const row = (name: string, of: (round: Round) => number, ratio: number) => {
    const seconds = median(rounds.map(of));
    return [name, seconds.toFixed(1), (texts / seconds).toFixed(1), (tokens / seconds).toFixed(0), ratio.toFixed(3)];
  };
  return textTable(['', 'seconds', 'texts/s', 'tokens/s', 'of ceiling'], {
    left: 1,
    rows: [
      row('bare model, token ids given', ({ ceiling }) => ceiling.seconds, 1),
      row('index, model loaded before', ({ warm }) => warm.seconds, share.warm),
      row('index, from the call', ({ cold }) => cold.seconds, share.cold),
    ],
  });
}

const PHASES = [
  ['walk', 'walk, compare'],
  ['read', 'read, cut, store'],
  ['embed', 'embed, store'],
  ['settle', 'settle'],
] as const;

function phasesTable(runs: readonly WholeIndex[]): string {
  const whole = median(runs.map(({ seconds }) => seconds));
  const rows = PHASES.map(([phase, name]) => {
    const seconds = median(runs.map(({ phases }) => phases[phase]));
    return [name, seconds.toFixed(2), `${((100 * seconds) / whole).toFixed(1)} %`];
  });
  return textTable(['from the call', 'seconds', 'share'], { left: 1, rows });
}

/** Where others use the machine too, CPU seconds are surer than seconds. */
function cpuLine(rounds: readonly Round[], { cores }: { readonly cores: number }): string {
  const known = rounds.flatMap(({ ceiling, cold: { cpu, seconds } }) =>
    cpu && ceiling.cpu !== undefined
      ? [{ ...cpu, seconds, bare: ceiling.cpu, all: cpu.model + cpu.mainThread + cpu.otherThreads }]
      : [],
  );
  if (known.length === 0) return 'CPU seconds are not known here: there is no /proc.';
  const of = (value: (run: (typeof known)[number]) => number) => median(known.map(value));
  const parts = [
    `model processes ${of(({ model }) => model).toFixed(1)}`,
    `main thread ${of(({ mainThread }) => mainThread).toFixed(1)}`,
    `its other threads ${of(({ otherThreads }) => otherThreads).toFixed(1)}`,
  ].join(', ');
  const use = of(({ all, seconds }) => (100 * all) / (seconds * cores)).toFixed(0);
  const share = of(({ bare, all }) => bare / all).toFixed(3);
  return `CPU seconds from the call: ${parts}; ${use} % of ${cores} cores. The bare model takes ${share} of that.`;
}

function growthTable({ sizes, exponents }: Growth): string {
  const rows = sizes.map(({ passages, seconds, bytes }) => [
    String(passages),
    seconds.toFixed(1),
    (bytes / 1e6).toFixed(1),
    (bytes / passages).toFixed(0),
  ]);
  const shown = (exponent: number | undefined) => exponent?.toFixed(2) ?? 'not known';
  return [
    textTable(['passages', 'seconds', 'MB', 'bytes each'], { left: 0, rows }),
    `Time grows with the power ${shown(exponents.seconds)} of the passages, the database with ${shown(exponents.bytes)}.`,
  ].join('\n');
}
