import { type BotIndex, MAX_SHOWN_TEXT, type Passage, type Subtype, shownHtml, shownText } from '../../index.js';
import { Html, html } from '../html.js';

/** Where a passage is from, and what is highlighted in it. */
export interface Showing {
  readonly index: BotIndex;
  readonly contentType: string;
  /** The subtype that all passages of the text have; undefined if they have none in common. */
  readonly subtype?: Subtype | undefined;
  /** Its words are highlighted; empty for none. */
  readonly query: string;
  /** Whether the sentence that is nearest to the query is highlighted, too. */
  readonly marksSentence: boolean;
}

/** A text of a file as its reader sees it. */
export async function shownPassage(text: string, { index, query, marksSentence, ...showing }: Showing): Promise<Html> {
  const { contentType } = showing;
  const shown = await shownText(text, { contentType });
  if (query === '') return new Html(await shownHtml(shown, showing));
  const highlight = marksSentence ? await index.highlight(query, shown, { contentType, isShown: true }) : undefined;
  return new Html(await shownHtml(shown, { ...showing, query, highlight }));
}

/** The matches of a whole file, under their headings: portion by portion, as only the beginning of a text is read. */
export async function shownMatches(text: string, showing: Showing): Promise<Html> {
  const shown: Html[] = [];
  for (const portion of portionsOf(text)) {
    shown.push(await shownPassage(portion, { ...showing, marksSentence: showing.marksSentence && shown.length === 0 }));
  }
  return html`${shown}`;
}

/** A text of markdown in parts that begin with a heading; each is short if its sections are. */
function portionsOf(text: string): string[] {
  const portions: string[] = [''];
  for (const section of sectionsOf(text)) {
    const last = portions.at(-1) ?? '';
    if (last.length + section.length <= MAX_SHOWN_TEXT) portions[portions.length - 1] = last + section;
    else portions.push(section);
  }
  return portions.filter((portion) => portion !== '');
}

/** The sections of a text: what looks like a heading in fenced code begins none. */
function sectionsOf(text: string): string[] {
  const sections: string[] = [''];
  let fence: string | undefined;
  for (const line of text.split(/(?<=\n)/)) {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    if (fence === undefined && /^#{1,6} /.test(line)) sections.push(line);
    else sections[sections.length - 1] += line;
  }
  return sections;
}

/** Passages that follow each other as one text, with the fences and headers that it needs. */
export function joined(passages: readonly Passage[]): string {
  const contents = passages.map(({ content }) => content).join('\n\n');
  return `${passages[0]?.opening ?? ''}${contents}${passages.at(-1)?.closing ?? ''}`;
}

/** The subtype of passages, if it is the same. */
export function subtypeOf([first, ...others]: readonly Passage[]): Subtype | undefined {
  return others.every(({ subtype }) => subtype === first?.subtype) ? first?.subtype : undefined;
}
