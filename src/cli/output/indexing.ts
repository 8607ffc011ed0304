import {
  counted,
  type FolderOutcome,
  formats,
  type IndexFolderResult,
  type ReembedResult,
  shownNumber,
} from '../../index.js';
import { fromHere } from './from-here.js';

const OUTCOMES = ['added', 'updated', 'moved', 'removed', 'unchanged'] as const;

/** Whether the folder held no file to index and none was removed. */
export function isEmpty(result: IndexFolderResult): boolean {
  return OUTCOMES.every((outcome) => result[outcome] === 0);
}

/** What became of the files of a folder. */
export function describeIndexing(folder: string, result: IndexFolderResult): string {
  const numbers = describeNumbers(result);
  const none = `No files to index in ${fromHere(folder)} (${formats.extensions.join(', ')}).`;
  return numbers === '' ? none : `Files: ${numbers}.`;
}

/** Numbers of files by outcome: `2 added, 1 failed`; empty if there were none. */
function describeNumbers(result: IndexFolderResult): string {
  const parts = OUTCOMES.filter((outcome) => result[outcome] > 0).map(
    (outcome) => `${shownNumber(result[outcome])} ${outcome}`,
  );
  if (result.failed.length > 0) parts.push(`${shownNumber(result.failed.length)} failed`);
  return parts.join(', ');
}

/** What became of one of several folders; undefined if it could not be read. */
export function describeOutcome(outcome: FolderOutcome): string | undefined {
  return outcome.result && `${fromHere(outcome.path)}: ${describeNumbers(outcome.result) || 'no files'}`;
}

export function describeReembedding({ changed, model, files, passages }: ReembedResult): string {
  if (files === 0) return 'No files to re-embed.';
  if (!changed) return `All files are already embedded with ${model}.`;
  return `Re-embedded ${counted(files, 'file')} (${counted(passages, 'passage')}) with ${model}.`;
}
