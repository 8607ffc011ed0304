import { quantile } from 'waymark/evaluation';
import { type Bare, bareModel } from './bare-model.js';
import { recordTexts } from './recorded-texts.js';
import { tokenIdsOf } from './token-ids.js';
import { type WholeIndex, wholeIndex } from './whole-index.js';

/** The same texts three times, one after the other, so that a machine that slows down slows all. */
export interface Round {
  /** Bare sessions of the model. */
  readonly ceiling: Bare;
  /** From the call: the model is loaded meanwhile. */
  readonly cold: WholeIndex;
  /** The model was loaded before. */
  readonly warm: WholeIndex;
}

export interface EmbedResult {
  readonly files: number;
  readonly passages: number;
  /** Texts that the model embeds: the same text once. */
  readonly texts: number;
  readonly tokens: number;
  readonly rounds: readonly Round[];
  /** Median share of the ceiling that indexing reaches; 1 is the ceiling. */
  readonly share: Shares;
}

export interface Shares {
  readonly cold: number;
  readonly warm: number;
}

/** How near the indexing of a folder comes to what its model can do on this machine. */
export async function measureEmbed(folder: string, { rounds: count }: { rounds: number }): Promise<EmbedResult> {
  const { files, passages, texts } = await recordTexts(folder);
  const ids = await tokenIdsOf(texts);
  const rounds: Round[] = [];
  for (let round = 1; round <= count; round++) {
    const ceiling = await bareModel(ids);
    const cold = await wholeIndex(folder, { warm: false });
    const warm = await wholeIndex(folder, { warm: true });
    rounds.push({ ceiling, cold, warm });
    process.stderr.write(
      `round ${round} of ${count}: ${ceiling.seconds.toFixed(1)} s bare, ${cold.seconds.toFixed(1)} s\n`,
    );
  }
  const tokens = ids.reduce((sum, row) => sum + row.length, 0);
  return { files, passages, texts: texts.length, tokens, rounds, share: medianShares(rounds) };
}

/** The median over rounds of each round's share: what the whole machine does in a minute is left out of it. */
function medianShares(rounds: readonly Round[]): Shares {
  const shares = rounds.map(sharesOf);
  return {
    cold: median(shares.map(({ cold }) => cold)),
    warm: median(shares.map(({ warm }) => warm)),
  };
}

export function sharesOf(round: {
  readonly ceiling: Pick<Bare, 'seconds'>;
  readonly cold: Pick<WholeIndex, 'seconds'>;
  readonly warm: Pick<WholeIndex, 'seconds'>;
}): Shares {
  const { ceiling, cold, warm } = round;
  return { cold: ceiling.seconds / cold.seconds, warm: ceiling.seconds / warm.seconds };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
