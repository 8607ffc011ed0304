import type { BotFiles } from '../../index.js';
import { type Html, html } from '../html.js';
import { addressOf, type PageRequest } from './page-request.js';
import { joined, shownPassage } from './shown-passage.js';

/** A neighbour of a passage that unfolds in place or, without the script, in its file. */
export interface Neighbour {
  readonly id: string;
  /** The position of the passage; below 0 there is none. */
  readonly at: number;
  readonly direction: 'before' | 'after';
}

/** The link that unfolds a neighbour. */
export function moreLink(request: PageRequest, { id, at, direction }: Neighbour): Html | undefined {
  if (at < 0) return undefined;
  const place = addressOf('/file', request, { id, from: at });
  const part = addressOf('/page/neighbour', request, { id, at, direction });
  const name = direction === 'before' ? '↑ Show the passage before' : '↓ Show the passage after';
  return html`<a class="more" href="${place}#passage-${at}" data-part="${part}">${name}</a>`;
}

/** A neighbour, with the link to the next one; nothing where the file ends. */
export async function neighbourPart(
  request: PageRequest,
  { neighbour, files }: { readonly neighbour: Neighbour; readonly files: BotFiles },
): Promise<Html> {
  const { id, at, direction } = neighbour;
  const { file } = await files.getFile({ id });
  // Reads one more, to know whether another link is needed.
  const [passage, next] = await files.index.passagesOf(file.id, { from: at, to: at + 1 });
  if (!passage) return html`<p class="end">The file ends here.</p>`;
  const { subtype } = passage;
  const showing = { index: files.index, contentType: file.contentType, subtype, query: '', marksSentence: false };
  const shown = html`<div class="passage neighbour" dir="auto">${await shownPassage(joined([passage]), showing)}</div>`;
  if (direction === 'before') return html`${moreLink(request, { id, at: at - 1, direction })}${shown}`;
  return html`${shown}${next && moreLink(request, { id, at: at + 1, direction })}`;
}
