import type { Edits } from '../edits.js';
import { KINDS } from '../kinds.js';

/** Properties that Logseq stores with a block and does not show: `id:: 60a790f8-…`, `collapsed:: true`. */
const PROPERTIES = [
  'id:: [\\da-f-]{36}',
  'collapsed:: (?:true|false)',
  'heading:: (?:true|\\d)',
  '(?:created|updated)-at:: \\d+',
  '(?:background-color|ls-type|hl-\\w+|logseq\\.[\\w.-]+):: [^\\r\\n]+',
];
const PROPERTY = new RegExp(`^([ \\t>]*(?:[-*][ \\t]+)?)(?:${PROPERTIES.join('|')})[ \\t]*$`);

/** `#+BEGIN_NOTE`, `#+END_NOTE`, alone on a line. */
const BLOCK = /^([ \t>]*(?:[-*][ \t]+)?#\+(?:BEGIN|END)_)([A-Z]+)([ \t]+[^\r\n]*|)$/i;

/** Hides the marks of Logseq on a line, but not the kind of an admonition. Returns its end; undefined for no mark. */
export function hideLogseq(
  { text, start }: { readonly text: string; readonly start: number },
  edits: Edits,
): number | undefined {
  const [property, before = ''] = text.includes(':: ') ? (PROPERTY.exec(text) ?? []) : [];
  const end = start + text.length;
  if (property !== undefined) {
    edits.hide(start + before.length, end);
    return end;
  }
  const [block, mark = '', kind = ''] = text.includes('#+') ? (BLOCK.exec(text) ?? []) : [];
  if (block === undefined) return undefined;
  const markAt = start + mark.indexOf('#');
  const isShown = KINDS.has(kind.toLowerCase()) && !/^quote$/i.test(kind) && /begin_$/i.test(mark);
  edits.hide(markAt, isShown ? start + mark.length : end);
  return end;
}
