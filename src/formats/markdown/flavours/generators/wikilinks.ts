import type { Edits } from '../edits.js';
import { SHORT } from '../places.js';
import { isTargetSecond } from './dendron.js';

const WIKILINK = /^\[\[(?:([^[\]|\n]+?)(\\?\|))?([^[\]\n]*)\]\](?!\()/;
const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|pdf|mp[34]|webm|canvas)(?:#.*)?$/i;

/** Hides a wikilink, except for what a reader sees of it. Returns the offset after it; 0 if there is none. */
export function hideWikilink({ source, edits }: { source: string; edits: Edits }, at: number): number {
  const [link, target, bar, text = ''] = WIKILINK.exec(source.slice(at, at + SHORT)) ?? [];
  if (link === undefined || text.trim() === '') return 0;
  const end = at + link.length;
  const start = source.charAt(at - 1) === '!' ? at - 1 : at;
  if (start < at && IMAGE.test(target ?? text)) {
    edits.hide(start, end);
    return end;
  }
  if (target !== undefined && start === at && isTargetSecond(target, text)) {
    edits.hide(at, at + 2);
    edits.hide(at + 2 + target.length, end);
    return end;
  }
  const shown = at + (target === undefined ? 2 : 2 + target.length + (bar?.length ?? 0));
  const heading = target === undefined ? text.indexOf('#') : -1;
  if (heading === 0) {
    edits.hide(start, shown + 1);
  } else {
    edits.hide(start, shown);
    if (text.startsWith('#^', heading)) edits.hide(shown + heading, end - 2);
    else if (heading > 0) edits.overwrite(shown + heading, shown + heading + 1, ' ');
  }
  edits.hide(end - 2, end);
  return end;
}
