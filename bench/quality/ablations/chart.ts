import { differenceChart } from '../../support/charts/differences.js';
import { modeColour } from '../../support/charts/palette.js';
import type { Ablation } from './measure.js';

/** A result of the ablations as it is written. */
export interface AblationsFile {
  readonly collection: string;
  readonly settings: { readonly model: string; readonly limitQueries: number | null };
  readonly ablations: readonly Ablation[];
}

/** The difference of each variant to the defaults, in the main measure. */
export function ablationsChart({ collection, ablations }: AblationsFile): Promise<string> {
  const [main = ''] = Object.keys(ablations[0]?.summary.at(-1)?.measures ?? {});
  const modes = [...new Set(ablations.map(({ mode }) => mode))];
  const rows = modes.flatMap((mode) =>
    ablations.flatMap(({ mode: of, variant, difference }) => {
      const value = difference?.measures[main];
      return of === mode && value ? [{ name: `${mode}: ${variant}`, colour: modeColour(mode), value }] : [];
    }),
  );
  return differenceChart({
    title: `${collection}: ${main} of the defaults with one thing changed`,
    xTitle: `difference in mean ${main}, 95 % bootstrap intervals; filled if it excludes 0`,
    rows,
  });
}
