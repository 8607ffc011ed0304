import { counted, type FolderChanges } from '../../index.js';
import { type BotPlace, commandFor } from '../storage-place.js';
import { fromHere } from './from-here.js';
import { shellWord } from './shell-word.js';

/** A sentence for each way in which files differ from the index of a bot. `update` is what brings it up to date. */
export function describeChanges(
  changes: FolderChanges,
  { botPlace, update }: { readonly botPlace: BotPlace; readonly update: string },
): string[] {
  const { added, changed, removed, unreadable, gone } = changes;
  const outcomes = Object.entries({ new: added, changed, deleted: removed }).filter(([, keys]) => keys.length > 0);
  const numbers = outcomes.map(([outcome, { length }]) => `${length} ${outcome}`).join(', ');
  const files = counted(unreadable.length, 'indexed file');
  return [
    ...(outcomes.length > 0 ? [`Files since the last index: ${numbers}. Update with: ${update}`] : []),
    ...(unreadable.length > 0 ? [`${files} cannot be read: check the permissions.`] : []),
    ...(gone.length > 0 ? [describeGone(gone.map(fromHere), botPlace)] : []),
  ];
}

function describeGone(folders: readonly string[], botPlace: BotPlace): string {
  const [folder = ''] = folders;
  const drop = (dropped: string) => commandFor(botPlace, `drop ${dropped}`);
  return folders.length === 1
    ? `The indexed folder ${folder} is gone: restore it, or forget its files with: ${drop(shellWord(folder))}`
    : `The indexed folders ${folders.join(', ')} are gone: restore them, or forget each with: ${drop('<folder>')}`;
}
