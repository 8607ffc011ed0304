import { altOf } from '../alt-text.js';

/** What a reader of HTML does not see: a tag, a comment, a whole script or style. */
export interface TagOfHtml {
  /** Where it is in the HTML. */
  readonly start: number;
  readonly end: number;
  /** Where in the HTML the text is that stands for an image; missing if there is none. */
  readonly alt?: { readonly start: number; readonly end: number };
  /** Whether the sentence before it goes on after it. */
  readonly runsOn: boolean;
}

/** Comments, scripts, styles and tags. */
const TAGS = /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)|<[/!?A-Za-z][^<>]*(?:>|$)/gi;

/** Comments and inline tags: a sentence goes on after them. */
const RUN_ON = new RegExp(
  '^<(?:!|/?(?:a|abbr|b|bdi|bdo|cite|code|data|del|dfn|em|font|i|img|ins|kbd|label|mark|picture|q|s|samp|small|' +
    'source|span|strong|sub|sup|time|tt|u|var|wbr)(?![\\w-]))',
  'i',
);

/** Whether the sentence before a tag or a comment goes on after it. */
export function runsOn(tag: string): boolean {
  return RUN_ON.test(tag);
}

/** The tags of HTML, in order. */
export function tagsIn(html: string): TagOfHtml[] {
  return Array.from(html.matchAll(TAGS), ({ index, 0: tag }) => {
    const alt = altOf(tag);
    const place = { start: index, end: index + tag.length, runsOn: runsOn(tag) };
    return alt?.text ? { ...place, alt: { start: index + alt.end - alt.text.length, end: index + alt.end } } : place;
  });
}
