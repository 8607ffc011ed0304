import { type BotContext, isSameModel } from './context.js';
import { cutAgain } from './cut-again.js';
import { checkFiles, damagedFiles } from './files.js';
import type { Finding } from './finding.js';
import { checkModel } from './model.js';
import { checkPassages, filesOfDamagedPassages, isCutSo } from './passages.js';
import { type ComparedPostings, checkPostings, PostingsComparison } from './postings.js';
import { checkSnapshot } from './snapshot.js';

/** Everything that is checked of one bot. */
export async function examineBot(context: BotContext): Promise<Finding[]> {
  const compared = await compareWithTexts(context);
  return [
    checkFiles(context),
    await checkModel(context),
    checkPassages(context, compared?.otherwise),
    checkPostings(context, compared?.postings),
    checkSnapshot(context),
  ];
}

export interface Compared {
  /** Numbers of files whose passages are not those that their text is cut into. */
  readonly otherwise: readonly number[];
  readonly postings: ComparedPostings;
}

/** Cuts every sound text again; undefined where the tokenizer that it was cut with is not there. */
export async function compareWithTexts(context: BotContext): Promise<Compared | undefined> {
  const postings = new PostingsComparison(context);
  const { unreadable, drift } = postings;
  try {
    const isEmpty = context.recorded === undefined;
    if (!isEmpty && !isSameModel(context))
      return unreadable === undefined ? undefined : { otherwise: [], postings: { wrong: 0, unreadable, drift } };
    const unsound = new Set(damagedFiles(context).damaged.map(({ number }) => number));
    const { damaged } = filesOfDamagedPassages(context);
    const otherwise: number[] = [];
    for await (const file of cutAgain(context, unsound)) {
      if (!file.comparable) postings.leaveOut(file.number);
      else if (damaged.has(file.number) || !isCutSo(context, file)) {
        otherwise.push(file.number);
        postings.leaveOut(file.number);
      } else postings.add(file);
    }
    for (const number of unsound) postings.leaveOut(number);
    return { otherwise, postings: { wrong: postings.different, unreadable, drift } };
  } finally {
    postings.close();
  }
}
