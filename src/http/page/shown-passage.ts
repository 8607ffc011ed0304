import { type BotIndex, type Passage, shownHtml, shownText } from '../../index.js';
import { Html } from '../html.js';

/** Where a passage is from, and what is brought out in it. */
export interface Showing {
  readonly index: BotIndex;
  readonly contentType: string;
  /** Its words are brought out; empty for none. */
  readonly query: string;
  /** Whether the sentence that is nearest to the query is brought out, too. */
  readonly marksSentence: boolean;
}

/** A text of a file as its reader sees it. */
export async function shownPassage(text: string, { index, contentType, query, marksSentence }: Showing): Promise<Html> {
  const shown = await shownText(text, { contentType });
  if (query === '') return new Html(await shownHtml(shown, { contentType }));
  const highlight = marksSentence ? await index.highlight(query, shown, { contentType }) : undefined;
  return new Html(await shownHtml(shown, { contentType, query, highlight }));
}

/** Passages that follow each other as one text, with the fences and headers that it needs. */
export function joined(passages: readonly Passage[]): string {
  const contents = passages.map(({ content }) => content).join('\n\n');
  return `${passages[0]?.opening ?? ''}${contents}${passages.at(-1)?.closing ?? ''}`;
}
