import { type FilesState, inspectFiles } from './checks/files.js';
import { inspectPassages, matchesStoredPassages, type PassagesState } from './checks/passages.js';
import { inspectPostings, type PostingsState } from './checks/postings.js';
import { PostingsComparison } from './checks/postings-comparison.js';
import { type BotContext, isSameModel } from './context.js';
import { recutFiles } from './recut-files.js';

/** The state of a bot's rows. */
export interface BotState {
  readonly files: FilesState;
  readonly passages: PassagesState;
  readonly postings: PostingsState;
  /** Undefined without the model that the texts were cut for. */
  readonly texts: TextComparison | undefined;
}

/** How the stored passages and postings differ from those of the texts. */
export interface TextComparison {
  /** Row numbers of files whose text is cut into other passages. */
  readonly files: readonly number[];
  /** The number of passages with wrong or missing postings, and of postings without a passage. */
  readonly postings: number;
}

/** Reads everything that is stored for a bot, and compares it with its checksums and with the texts. */
export async function inspectBot(context: BotContext): Promise<BotState> {
  const stored = {
    files: inspectFiles(context),
    passages: inspectPassages(context),
    postings: inspectPostings(context),
  };
  const isEmpty = context.recorded === undefined;
  const texts = isEmpty || isSameModel(context) ? await compareTexts(context, stored) : undefined;
  return { ...stored, texts };
}

async function compareTexts(
  context: BotContext,
  { files, passages, postings }: Omit<BotState, 'texts'>,
): Promise<TextComparison> {
  const comparison = new PostingsComparison(context.connection, postings.digests);
  try {
    const damaged = new Set(files.damaged.map(({ number }) => number));
    const differing: number[] = [];
    for await (const file of recutFiles(context, { except: damaged })) {
      const isDamaged = passages.damagedFiles.has(file.number);
      if (file.isComparable && !isDamaged && matchesStoredPassages(context, file)) {
        comparison.compare(file);
      } else {
        if (file.isComparable) differing.push(file.number);
        comparison.skip(file.number);
      }
    }
    for (const number of damaged) comparison.skip(number);
    return { files: differing, postings: comparison.differing() };
  } finally {
    comparison.close();
  }
}
