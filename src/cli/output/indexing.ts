import { formats, type IndexFolderResult, type ReembedResult } from '../../index.js';
import { counted } from './counted.js';

const OUTCOMES = ['added', 'updated', 'moved', 'removed', 'unchanged'] as const;

/** Whether the folder held no file to index and none was removed. */
export function isEmpty(result: IndexFolderResult): boolean {
  return OUTCOMES.every((outcome) => result[outcome] === 0);
}

export function describeIndexing(result: IndexFolderResult): string {
  const parts = OUTCOMES.filter((outcome) => result[outcome] > 0).map((outcome) => `${result[outcome]} ${outcome}`);
  if (result.failed.length > 0) parts.push(`${result.failed.length} failed`);
  return parts.length > 0
    ? `Files: ${parts.join(', ')}.`
    : `No files to index in this folder (${formats.endings.join(', ')}).`;
}

export function describeReembedding({ changed, model, files, passages }: ReembedResult): string {
  if (files === 0) return 'No files to re-embed.';
  if (!changed) return `All files are already embedded with ${model}.`;
  return `Re-embedded ${counted(files, 'file')} (${counted(passages, 'passage')}) with ${model}.`;
}
