import type { Mode, SearchEngine } from 'waymark';
import type { IndexSettings } from '../quality/index-corpus.js';
import { byMinMax, byReciprocalRank, type Fusion, fusedRun, without } from '../ranking/fused-run.js';
import { type Run, searchRun } from '../ranking/run.js';
import { windowRun } from '../ranking/windows.js';

/** One thing done otherwise than what ships. */
export interface Variant {
  readonly name: string;
  /** The mode that it changes, and is compared with as it ships. */
  readonly mode: Mode;
  /** Its way to rank a corpus, over the indexes that it needs. */
  readonly runOf: (open: Open) => Promise<Run>;
}

/** An engine over the corpus that is asked, indexed with these settings. */
export type Open = (settings: Partial<IndexSettings>) => Promise<SearchEngine>;

export const SHIPPED = 'as shipped';

/** Tokens a passage gathers at most; what ships, 192, is the row that these are compared with. */
const BUDGETS = [128, 256, 384];
const [SMALL, LARGE] = [128, 384];

/** Addends of a hybrid score that are priors, not sides. */
const PRIORS = ['length', 'prose'];

/** First each mode as it ships, then what is compared with it. */
export const VARIANTS: readonly Variant[] = [
  ...inBothModes(SHIPPED, {}),
  fusion('reciprocal ranks, k = 60', byReciprocalRank),
  fusion('half and half of min-max scores', byMinMax),
  ...PRIORS.map((part) => fusion(`without ${part}`, without(part))),
  ...BUDGETS.flatMap((passageTokens) => inBothModes(`passages of ${passageTokens} tokens`, { passageTokens })),
  ...bothModes((mode) => ({
    name: `passages of ${SMALL}, windows of ${LARGE}`,
    mode,
    runOf: async (open) =>
      windowRun({ small: await open({ passageTokens: SMALL }), large: await open({ passageTokens: LARGE }) }, mode),
  })),
  ...inBothModes('breadcrumb not embedded', { embedBreadcrumb: false }),
  ...inBothModes('index hnsw', { index: 'hnsw' }),
];

function fusion(name: string, fusion: Fusion): Variant {
  return { name, mode: 'hybrid', runOf: async (open) => fusedRun(await open({}), fusion) };
}

function inBothModes(name: string, settings: Partial<IndexSettings>): Variant[] {
  return bothModes((mode) => ({ name, mode, runOf: async (open) => searchRun(await open(settings), mode) }));
}

function bothModes(variantOf: (mode: Mode) => Variant): Variant[] {
  return [variantOf('hybrid'), variantOf('dense')];
}
