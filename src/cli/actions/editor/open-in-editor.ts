import { spawn } from 'node:child_process';
import { WaymarkError } from '../../../index.js';
import { argumentsOf, type FilePlace } from './editor-arguments.js';

/** The editor of the person, as a shell runs it: `$VISUAL`, else `$EDITOR`; undefined without one. */
export function editorOf({ VISUAL, EDITOR }: NodeJS.ProcessEnv): string | undefined {
  return VISUAL?.trim() || EDITOR?.trim() || undefined;
}

/** Opens a file at a line and waits until the editor ends. Throws `INVALID_ARGUMENT` if it cannot be run. */
export async function openInEditor(editor: string, place: FilePlace): Promise<void> {
  // As git runs it: the value may have options and quotes.
  const isWindows = process.platform === 'win32';
  const before = isWindows ? ['/c', editor] : ['-c', `${editor} "$@"`, editor];
  const given = [...before, ...argumentsOf(editor, place)];
  const child = spawn(isWindows ? 'cmd' : 'sh', given, { stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('exit', resolve);
  });
  if (code === 0) return;
  const named = JSON.stringify(editor);
  const message = `The editor ${named} ended with ${code}. Set VISUAL or EDITOR to one that can be run.`;
  throw new WaymarkError('INVALID_ARGUMENT', message);
}
