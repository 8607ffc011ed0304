import type { CutFile, CutPassage } from './cut-files.js';
import { fenceFault } from './judge/fences.js';
import { type Parted, partedBlock } from './judge/introductions.js';
import { marksIn, withoutBreadcrumb } from './judge/marks.js';
import { wordsIn } from './judge/readable.js';
import { Source } from './judge/source.js';
import type { Mark } from './judge/unseen.js';

/** Tokens of the readable text of a passage: the default of `passageTokens`. */
const BUDGET = 192;

/** Readable words that a passage should have. */
const WORDS = 3;

/** The faults that are counted, with what the report calls them. */
export const FAULTS = {
  few: `fewer than ${WORDS} readable words`,
  nothing: '  … no readable word',
  unclosed: 'a fence unbalanced as shown',
  inverted: 'code shown as prose, or prose as code',
  indented: 'fences in order but for indentation',
  parted: 'introduction parted from its block',
  fitting: "  … though it fits with the block's beginning",
  fittingWhole: '  … though it fits with the whole block',
  marks: 'unseen marks in the embedded text',
  template: '  … template tags',
  component: '  … component tags',
  html: '  … HTML tags',
  module: '  … imports and exports of MDX',
  comment: '  … comments',
  unknown: 'embedded text not known',
} as const satisfies Record<Mark, string> & Record<string, string>;

export type Fault = keyof typeof FAULTS;

/** Where a fault is. */
export interface Place {
  readonly key: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** The faulty passages of some files, in order. */
export type Faults = Readonly<Record<Fault, readonly Place[]>>;

/** Judges passages. `countTokens` counts special tokens, too, as that of an embedder does. */
export async function judge(
  files: readonly CutFile[],
  { countTokens }: { readonly countTokens: (text: string) => Promise<number> },
): Promise<Faults> {
  const names = Object.keys(FAULTS) as Fault[];
  const places = Object.fromEntries(names.map((fault) => [fault, [] as Place[]])) as Record<Fault, Place[]>;
  const special = await countTokens('');
  const fits = async (text: string) => (await countTokens(text)) - special <= BUDGET;
  for (const { key, text, passages } of files) {
    const source = new Source(key, text);
    for (const [i, passage] of passages.entries()) {
      const { startLine, endLine } = passage;
      const found = faultsOf(passage, source);
      const parted = partedFrom(passages[i + 1], { passage, source });
      if (parted) {
        found.push('parted');
        if (await fits(parted.beginning)) found.push('fitting');
        if (await fits(parted.whole)) found.push('fittingWhole');
      }
      for (const fault of found) places[fault].push({ key, startLine, endLine });
    }
  }
  return places;
}

/** The faults of a passage by itself. */
function faultsOf(passage: CutPassage, source: Source): Fault[] {
  const found: Fault[] = [];
  const words = wordsIn(source, passage);
  if (words < WORDS) found.push('few');
  if (words === 0) found.push('nothing');
  const fence = fenceFault(source, passage, { shown: passage.display });
  if (fence) found.push(fence);
  const { embedded, breadcrumb } = passage;
  if (embedded === undefined) return [...found, 'unknown'];
  const marks = marksIn(source, passage, { embedded: withoutBreadcrumb(embedded, breadcrumb) });
  return marks.length === 0 ? found : [...found, 'marks', ...marks];
}

/** The block that a passage introduces, if it is in the next passage, of the same section. */
function partedFrom(
  next: CutPassage | undefined,
  { passage, source }: { readonly passage: CutPassage; readonly source: Source },
): Parted | undefined {
  if (!next || next.breadcrumb.join('\n') !== passage.breadcrumb.join('\n')) return undefined;
  const between = source.text.slice(passage.end, next.start);
  return /^ {0,3}(?:#{1,6}[ \t]|=+[ \t]*$)/m.test(between) ? undefined : partedBlock(source, [passage, next]);
}
