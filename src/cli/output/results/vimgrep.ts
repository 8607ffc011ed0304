import { printable } from '../printable.js';
import { type Result, shownPath } from './result.js';

/**
 * A passage as `path:line:column:text`, the line where its best sentence begins. The column counts bytes from 1, as in
 * Vim and ripgrep. `text` is that of the file.
 */
export function vimgrepOf(result: Result, text: string): string {
  const { start = 0, highlight } = result.meta;
  const at = start + (highlight?.start ?? 0);
  const before = text.slice(0, at);
  const lineStart = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
  const line = before.match(/\r\n|\n|\r/g)?.length ?? 0;
  const [shown = ''] = text.slice(lineStart).split(/[\r\n]/, 1);
  const column = Buffer.byteLength(before.slice(lineStart)) + 1;
  return printable(`${shownPath(result)}:${line + 1}:${column}:${shown.replaceAll('\t', ' ')}`);
}
