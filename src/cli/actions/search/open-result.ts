import type { SearchEngine } from '../../../index.js';
import { printLines } from '../../output/print.js';
import { type Result, shownPath } from '../../output/results/result.js';
import { bestLineOf } from '../../output/results/vimgrep.js';
import { editorOf, openInEditor } from '../editor/open-in-editor.js';

/**
 * Opens a result in the editor where its best sentence begins. Without an editor, or a file to open, prints the place.
 * The result must have been found without context.
 */
export async function openResult(result: Result, engine: SearchEngine): Promise<void> {
  const file = await engine.readFile(result.file.key);
  const { line } = bestLineOf(result, file?.text ?? result.content);
  const editor = editorOf(process.env);
  if (editor === undefined || result.path === null) printLines([`${shownPath(result)}:${line}`]);
  else await openInEditor(editor, { path: result.path, line });
}
