import { readPipeline } from '../indexing/pipeline.js';
import type { FileCopies, FileState } from '../storage/copies.js';
import type { ComparedFile } from './compare-answers.js';

/** How to make the files equal. */
const AGAIN = 'Update the source with waymark index, then copy again.';

/** How the files of source and target differ. */
export interface FileDifference {
  /** Files that only the source has. */
  readonly missing: number;
  /** Files with the same number of passages in both. */
  readonly searched: readonly ComparedFile[];
  /** Files of the source that wait for their upload. */
  readonly awaited: number;
  /** Passages of all files of the target. */
  readonly passages: number;
  /** The differences, one sentence each. */
  readonly notes: readonly string[];
  readonly isAlike: boolean;
}

/** Compares which files two storages have, and their numbers of passages, but not their contents. */
export async function compareFiles(source: FileCopies, target: FileCopies): Promise<FileDifference> {
  const present = new Map<string, number>();
  for await (const { id, passages } of target.states()) present.set(id, passages);
  const searched: ComparedFile[] = [];
  let [missing, recut, differing, awaited] = [0, 0, 0, 0];
  for await (const state of source.states()) {
    if (state.status === 'upload_pending') awaited += 1;
    const passages = present.get(state.id);
    if (passages === undefined) missing += 1;
    else if (passages === state.passages) searched.push({ id: state.id, key: state.key, passages });
    else if (isReproducible(state)) differing += 1;
    else recut += 1;
  }
  const sum = [...present.values()].reduce((total, passages) => total + passages, 0);
  const notes = [
    ...(missing > 0 ? [`${countedFiles(missing, 'is', 'are')} missing in the target: copy again.`] : []),
    ...(differing > 0 ? [`${countedFiles(differing, 'has', 'have')} other passages in the target. ${AGAIN}`] : []),
    ...(recut > 0
      ? [`${countedFiles(recut, 'was', 'were')} cut by another release, or in part, and got other passages. ${AGAIN}`]
      : []),
  ];
  return { searched, missing, awaited, passages: sum, notes, isAlike: missing === 0 && differing === 0 };
}

/** Whether cutting a file again must give the same passages. */
function isReproducible({ pipeline }: Pick<FileState, 'pipeline'>): boolean {
  const read = readPipeline(pipeline);
  return read === undefined || (read.isCurrent && !read.isUnfinished);
}

/** A number of files with its verb, for people. */
export function countedFiles(count: number, one: string, many: string): string {
  return count === 1 ? `1 file ${one}` : `${count} files ${many}`;
}
