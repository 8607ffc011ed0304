import path from 'node:path';
import { counted, type Tags } from '../../../index.js';
import { FAILURE, SUCCESS } from '../../exit-codes.js';
import { fromHere } from '../../output/from-here.js';
import { describeIndexing } from '../../output/indexing.js';
import { print, printList, printMessage } from '../../output/print.js';
import { describeFolder } from '../../output/status.js';
import { checkFolder, printProblems } from '../index-folder.js';
import { type BotFilesOptions, withEngine } from '../open.js';
import { indexWithProgress } from '../progress.js';
import { assertUndeclared } from './declare.js';
import { keyChangeNotes, notesOn, outerOf } from './folder-notes.js';

export interface AddCommandOptions extends BotFilesOptions {
  readonly name?: string;
  readonly ignore?: readonly string[];
  readonly tag?: Tags;
  readonly reset?: true;
}

/** `waymark add <folder>` */
export async function addFolder(folder: string, options: AddCommandOptions): Promise<number> {
  checkFolder(folder);
  const { json, name, reset, folders } = options;
  for (const declared of [path.resolve(folder), ...(name === undefined ? [] : [name])]) {
    assertUndeclared(declared, { folders, next: 'change it there, then run waymark index' });
  }
  return withEngine(options, { create: true }, async (engine) => {
    const { tag: tags = reset && {}, ignore = reset && [] } = options;
    const known = await engine.listFolders();
    const added = await engine.addFolder(folder, { name, tags, tagRules: reset && [], ignore });
    const takenOver = await keyChangeNotes(engine, added, known);
    const result = await indexWithProgress(engine, folder, {});
    printProblems(result);
    const notes = [...takenOver, ...(await notesOn(engine, folder, options))];
    const as = added.name === '' ? '' : ` as "${added.name}"`;
    const lines = [`Added ${fromHere(added.path)}${as}.`, describeIndexing(folder, result)];
    print({ name: added.name, folder: added.folder, path: added.path, ...result }, { json, lines });
    for (const note of notes) printMessage(note);
    return result.failed.length > 0 ? FAILURE : SUCCESS;
  });
}

/** `waymark list` */
export function listFolders(options: BotFilesOptions): Promise<number> {
  return withEngine(options, { create: false }, async (engine) => {
    const folders = await engine.listFolders();
    const width = Math.max(...folders.map(({ name }) => name.length));
    const lines = folders.map((folder) => describeFolder(folder, { width }));
    return printList({ folders }, { json: options.json, lines, none: 'There are no folders: waymark add <folder>' });
  });
}

/** `waymark drop <folder>` */
export async function dropFolder(nameOrPath: string, options: BotFilesOptions): Promise<number> {
  assertUndeclared(nameOrPath, { folders: options.folders, next: 'remove it there first (waymark config)' });
  return withEngine(options, { create: false }, async (engine) => {
    const dropped = await engine.dropFolder(nameOrPath);
    const removed = `${counted(dropped.files, 'file')} removed from the index`;
    print(dropped, { json: options.json, lines: [`Dropped ${fromHere(dropped.path)}: ${removed}.`] });
    const outer = outerOf(dropped.path, await engine.listFolders());
    if (outer) printMessage(`The next waymark index adds its files to ${fromHere(outer.path)}, which is around it.`);
    return SUCCESS;
  });
}
