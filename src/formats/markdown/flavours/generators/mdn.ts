import type { Range } from '../../../range.js';
import type { Edits } from '../edits.js';
import { SHORT } from '../places.js';

/** What the marks of a page of MDN are found with. */
export interface MdnReading {
  readonly source: string;
  readonly edits: Edits;
  /** Whether the text is a page of MDN, see `isMdn`. */
  readonly isMdn: boolean;
}

/** Macros of links, which no other site has. The pages write names in any case. */
const LINKS =
  'csp cssxref domxref glossary htmlattrxref htmlelement httpheader httpmethod httpstatus jsxref livesamplelink ' +
  'mathmlelement rfc svgattr svgelement webextapiref';

/** Macros whose second argument a reader sees, or else their first. */
const SHOWN = new Set([...LINKS.split(' '), 'bug', 'event']);

/** Those whose name a reader sees too, before both arguments: `{{RFC(9110, "HTTP Semantics")}}`. */
const SHOWN_WITH_NAME = new Set(['bug', 'rfc']);

/** Other macros that tell a page of MDN. */
const OTHERS =
  'apiref compat cssref defaultapisidebar embedlivesample interactiveexample jsref learnsidebar mathmlref nextmenu ' +
  'previousmenu previousmenunext previousnext seecompattable specifications subpageswithsummaries ' +
  'svgref [a-z-]+_inline';

const OF_MDN = new RegExp(`\\{\\{[ \\t]*(?:${`${LINKS} ${OTHERS}`.replaceAll(' ', '|')})[ \\t]*(?:\\(|\\}\\})`, 'i');

/** `{{Compat}}`, `{{domxref("Response.ok", "ok")}}` */
const MACRO = /^\{\{[ \t]*([a-z][\w-]*)[ \t]*(?:\(([^{}]*)\)[ \t]*)?\}\}/i;
const ARGUMENT = /"([^"\r\n]*)"|'([^'\r\n]*)'|([^\s,"']+)/dg;

/** `{{ReadOnlyInline}}` and `{{deprecated_header}}`, which show what their name begins with. */
const BADGE = /^([a-z-]+?)_?(?:inline|header)$/i;

/** What the second line of a description begins with: `- name` is followed by `  - : Its meaning.` */
const DESCRIPTION = /(?:^|[\r\n])[ \t>]*- $/;

/** Whether a text is a page of MDN, whose macros are calls between two braces. */
export function isMdn(source: string): boolean {
  return OF_MDN.test(source);
}

/**
 * Hides the macro at an offset, except for what a reader sees of it. Returns the offset after it; 0 if there is none.
 */
export function hideMacro({ source, edits, isMdn }: MdnReading, at: number): number {
  if (!isMdn) return 0;
  const [macro, name = '', list = ''] = MACRO.exec(source.slice(at, at + SHORT)) ?? [];
  if (macro === undefined) return 0;
  const first = at + macro.indexOf(name);
  const shown = shownOf(name, { at: first, list, listAt: first + macro.slice(first - at).indexOf('(') + 1 });
  let reached = at;
  for (const [i, { start, end }] of shown.entries()) {
    if (i === 0) edits.hide(reached, start);
    else edits.overwrite(reached, start, ' ');
    reached = end;
  }
  edits.hide(reached, at + macro.length);
  return at + macro.length;
}

function shownOf(name: string, { at, list, listAt }: { at: number; list: string; listAt: number }): Range[] {
  const lowerCase = name.toLowerCase();
  if (!SHOWN.has(lowerCase)) {
    const [, badge = ''] = BADGE.exec(name) ?? [];
    return badge === '' ? [] : [{ start: at, end: at + badge.length }];
  }
  const values = Array.from(list.matchAll(ARGUMENT), ({ indices }): Range => {
    const [start, end] = indices?.[1] ?? indices?.[2] ?? indices?.[3] ?? [0, 0];
    return { start: listAt + start, end: listAt + end };
  });
  const [first, second] = values.slice(0, 2).map((range) => (range.end > range.start ? range : undefined));
  if (SHOWN_WITH_NAME.has(lowerCase)) {
    return [{ start: at, end: at + name.length }, first, second].filter((range) => range !== undefined);
  }
  const one = second ?? first;
  return one ? [one] : [];
}

/** Hides the colon and the blank that a description begins with. Returns the offset after them; 0 if there are none. */
export function hideDescriptionMark({ source, edits }: Omit<MdnReading, 'isMdn'>, at: number): number {
  if (!/^:[ \t]/.test(source.slice(at, at + 2))) return 0;
  if (!DESCRIPTION.test(source.slice(Math.max(0, at - SHORT), at))) return 0;
  edits.hide(at, at + 2);
  return at + 2;
}
