import { measureReading, type Reading } from '../support/remark/reading.js';
import { log } from '../support/report/progress.js';
import { median } from '../support/statistics/latencies.js';
import { type Bare, bareModel } from './bare-model.js';
import { recordTexts } from './recorded-texts.js';
import { tokenIdsOf } from './token-ids.js';
import { type WholeIndex, wholeIndex } from './whole-index.js';

/** The same texts three times in a row, so that a slow phase of the machine affects all three. */
export interface Round {
  /** Bare sessions of the model. */
  readonly ceiling: Bare;
  /** Indexing that loads the model meanwhile. */
  readonly cold: WholeIndex;
  /** Indexing with the model loaded before. */
  readonly warm: WholeIndex;
}

export interface EmbedResult {
  readonly files: number;
  readonly passages: number;
  /** Texts that the model embeds: identical passages count once. */
  readonly texts: number;
  readonly tokens: number;
  readonly rounds: readonly Round[];
  /** Medians over the rounds. */
  readonly share: Shares;
  /** The same folder without a model, compared with bare remark. */
  readonly reading: Reading;
}

/** Time of the bare model over that of indexing; 1 is the ceiling. */
export interface Shares {
  readonly cold: number;
  readonly warm: number;
}

export async function measureEmbed(folder: string, { rounds: count }: { rounds: number }): Promise<EmbedResult> {
  const { files, passages, texts } = await recordTexts(folder);
  const ids = await tokenIdsOf(texts);
  const rounds: Round[] = [];
  for (let round = 1; round <= count; round++) {
    const ceiling = await bareModel(ids);
    const cold = await wholeIndex(folder, { warm: false });
    const warm = await wholeIndex(folder, { warm: true });
    rounds.push({ ceiling, cold, warm });
    log(
      `round ${round} of ${count}: bare model ${ceiling.seconds.toFixed(1)} s, indexing ${cold.seconds.toFixed(1)} s`,
    );
  }
  const tokens = ids.reduce((sum, row) => sum + row.length, 0);
  const reading = await measureReading([folder], { rounds: count });
  return { files, passages, texts: texts.length, tokens, rounds, share: medianShares(rounds), reading };
}

/** The median of the shares of each round is robust against a slow phase of the machine. */
function medianShares(rounds: readonly Round[]): Shares {
  const shares = rounds.map(sharesOf);
  return { cold: median(shares.map(({ cold }) => cold)), warm: median(shares.map(({ warm }) => warm)) };
}

/** A round, reduced to its times. */
export interface RoundSeconds {
  readonly ceiling: Pick<Bare, 'seconds'>;
  readonly cold: Pick<WholeIndex, 'seconds'>;
  readonly warm: Pick<WholeIndex, 'seconds'>;
}

export function sharesOf({ ceiling, cold, warm }: RoundSeconds): Shares {
  return { cold: ceiling.seconds / cold.seconds, warm: ceiling.seconds / warm.seconds };
}
