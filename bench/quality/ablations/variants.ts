import type { Mode, SearchEngine } from 'waymark';
import type { IndexSettings } from '../../support/indexes/index-corpus.js';
import { fusedRanker } from '../../support/ranking/fused-ranker.js';
import { byMinMax, byReciprocalRank, type Fusion, without } from '../../support/ranking/fusion.js';
import { type Ranker, searchRanker } from '../../support/ranking/ranker.js';
import { windowRanker } from '../../support/ranking/window-ranker.js';

/** The defaults with one thing changed. */
export interface Variant {
  readonly name: string;
  /** The mode that it changes, and with whose defaults it is compared. */
  readonly mode: Mode;
  readonly rankerOf: (open: OpenEngine) => Promise<Ranker>;
}

/** Opens an engine over the corpus, indexed with these settings. */
export type OpenEngine = (settings: Partial<IndexSettings>) => Promise<SearchEngine>;

export const SHIPPED = 'as shipped';

/** Token budgets of a passage; the default is 192. */
const BUDGETS = [128, 256, 384];
const [SMALL, LARGE] = [128, 384];

/** Addends of a hybrid score that are priors. */
const PRIORS = ['length', 'prose'] as const;

/** The defaults of each mode, then the variants that are compared with them. */
export const VARIANTS: readonly Variant[] = [
  ...withSettings(SHIPPED, {}),
  withFusion('reciprocal ranks, k = 60', byReciprocalRank({ k: 60 })),
  withFusion('half and half of min-max scores', byMinMax),
  ...PRIORS.map((part) => withFusion(`without ${part}`, without(part))),
  ...BUDGETS.flatMap((passageTokens) => withSettings(`passages of ${passageTokens} tokens`, { passageTokens })),
  ...inBothModes((mode) => ({
    name: `passages of ${SMALL}, windows of ${LARGE}`,
    mode,
    rankerOf: async (open) =>
      windowRanker({ small: await open({ passageTokens: SMALL }), large: await open({ passageTokens: LARGE }) }, mode),
  })),
  ...withSettings('breadcrumb not embedded', { embedBreadcrumb: false }),
  ...withSettings('index hnsw', { index: 'hnsw' }),
];

function withFusion(name: string, fusion: Fusion): Variant {
  return { name, mode: 'hybrid', rankerOf: async (open) => fusedRanker(await open({}), fusion) };
}

function withSettings(name: string, settings: Partial<IndexSettings>): Variant[] {
  return inBothModes((mode) => ({ name, mode, rankerOf: async (open) => searchRanker(await open(settings), mode) }));
}

function inBothModes(variantOf: (mode: Mode) => Variant): Variant[] {
  return [variantOf('hybrid'), variantOf('dense')];
}
