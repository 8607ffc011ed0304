import { byteOrderMarks } from '../cutting/lines.js';
import { jsonTokens, showJsonString } from '../json.js';
import { type VisibleText, VisibleTextBuilder } from '../visible-text.js';

/** A cell of a Jupyter notebook. */
export interface Cell {
  /** Its source without JSON, with the place of each character in the notebook. */
  readonly text: VisibleText;
  readonly isMarkdown: boolean;
}

/** An object that is open, with the name of the member that is read, or a list. */
interface Level {
  readonly isList: boolean;
  name?: string;
}

/** The cells of a notebook of format 4, in order; undefined if the text is no such notebook. Outputs are not read. */
export function cellsOf(text: string): Cell[] | undefined {
  const begin = byteOrderMarks(text);
  if (!isNotebook(text.slice(begin))) return undefined;
  const levels: Level[] = [];
  const cells: Cell[] = [];
  let seen = new VisibleTextBuilder(text);
  let type = '';
  for (const { first, start, end, isName } of jsonTokens(text, { start: begin, end: text.length })) {
    const [notebook, list, cell, lines] = levels;
    const isInCell = notebook?.name === 'cells' && list?.isList === true && cell !== undefined;
    if (first === '{' || first === '[') levels.push({ isList: first === '[' });
    else if (first === '}' || first === ']') {
      levels.pop();
      if (!isInCell || levels.length > 2) continue;
      if (seen.text.trim() !== '') cells.push({ text: seen, isMarkdown: type === 'markdown' });
      seen = new VisibleTextBuilder(text);
      type = '';
    } else if (isName) (levels.at(-1) as Level).name = JSON.parse(text.slice(start, end));
    else if (first === '"' && isInCell) {
      const isItem = levels.length === 4 && lines?.isList === true;
      if (cell.name === 'cell_type' && !lines) type = text.slice(start + 1, end - 1);
      else if (cell.name === 'source' && (!lines || isItem))
        showJsonString(text, { start: start + 1, end: end - 1 }, seen);
    }
  }
  return cells;
}

function isNotebook(text: string): boolean {
  try {
    const notebook: unknown = JSON.parse(text);
    return Array.isArray((notebook as { cells?: unknown } | null)?.cells);
  } catch {
    return false;
  }
}
