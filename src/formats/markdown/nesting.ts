import type { Nodes } from 'mdast';
import { isParent } from '../cutting/nodes.js';

/** What opens a blockquote, a list or a footnote at the start of a line or after another one. */
const OPENER = /([ \t]*)(?:>|[*+-](?=[ \t\r\n]|$)|\d{1,9}[.)](?=[ \t\r\n]|$)|\[\^[^\]\s]+\]:)/y;

/** `- - -` and its kind: a line across the page, and no list. */
const THEMATIC_BREAK = /[ \t]*([*-])(?:[ \t]*\1)*[ \t]*(?=[\r\n]|$)/y;

const LINE_START = /(?:\r\n?|\n|^)(?=[ \t]*[>*+\-\d[])/g;

const TAB = 4;

const LEVELS: ReadonlySet<string> = new Set([
  'blockquote',
  'list',
  'footnoteDefinition',
  'emphasis',
  'strong',
  'delete',
  'link',
  'linkReference',
]);

/**
 * Whether more than `most` blockquotes, lists and footnotes may be nested within one another: the parser recurses into
 * them, and takes time that is quadratic in their number. Takes time that is linear in the text.
 */
export function mayNestDeeper(text: string, most: number): boolean {
  // The columns of what is open, each greater than the one before.
  const open: number[] = [];
  for (const { index, 0: lineEnd } of text.matchAll(LINE_START)) {
    let at = index + lineEnd.length;
    THEMATIC_BREAK.lastIndex = at;
    if (THEMATIC_BREAK.test(text)) continue;
    let column = 0;
    OPENER.lastIndex = at;
    for (let opener = OPENER.exec(text); opener; opener = OPENER.exec(text)) {
      const [{ length }, blanks = ''] = opener;
      for (const blank of blanks) column += blank === '\t' ? TAB : 1;
      while ((open.at(-1) ?? -1) >= column) open.pop();
      open.push(column);
      if (open.length > most) return true;
      column += length - blanks.length;
      at += length;
      OPENER.lastIndex = at;
    }
  }
  return false;
}

/** Whether more than `most` quotes, lists, footnotes, emphases and links are nested within one another in a tree. */
export function nestsDeeper(root: Nodes, most: number): boolean {
  const open: { readonly node: Nodes; readonly levels: number }[] = [{ node: root, levels: 0 }];
  for (let inner = open.pop(); inner; inner = open.pop()) {
    const levels = inner.levels + (LEVELS.has(inner.node.type) ? 1 : 0);
    if (levels > most) return true;
    if (isParent(inner.node)) for (const node of inner.node.children) open.push({ node, levels });
  }
  return false;
}
