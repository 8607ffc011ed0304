import type { BotFiles } from '../../index.js';
import { type Html, html } from '../html.js';
import { document } from './document.js';
import { addressOf, type PageRequest, resultIdOf } from './page-request.js';
import { joined, shownPassage } from './shown-passage.js';

/** Passages on a page: most files have fewer. */
const SIZE = 200;

/** A file, passage by passage, with one of them marked. Throws `FILE_MISSING`. */
export async function filePage(
  request: PageRequest,
  { files, id, at, signal }: { files: BotFiles; id: string; at: number; signal: AbortSignal },
): Promise<string> {
  const { file } = await files.getFile({ id });
  const from = at - (at % SIZE);
  const found = await files.index.passagesOf(file.id, { from, to: from + SIZE });
  const passages = found.slice(0, SIZE);
  const title = passages[0]?.breadcrumb[0] ?? file.key;
  const sections: Html[] = [];
  let above: readonly string[] = [title];
  for (const passage of passages) {
    signal.throwIfAborted();
    sections.push(...headingsBetween(above, passage.breadcrumb));
    above = passage.breadcrumb;
    const isMarked = passage.position === at && request.query !== '';
    const showing = { index: files.index, contentType: file.contentType, marksSentence: true };
    const shown = await shownPassage(joined([passage]), { ...showing, query: isMarked ? request.query : '' });
    const { position } = passage;
    sections.push(
      isMarked
        ? html`<section id="passage-${position}" class="passage marked" dir="auto"
 aria-label="The passage that was found">
${shown}</section>\n`
        : html`<section id="passage-${position}" class="passage" dir="auto">${shown}</section>\n`,
    );
  }
  const pageAt = (position: number) => addressOf('/file', request, { id: file.id, at: position });
  const back = `${addressOf('/', request)}${request.query === '' ? '' : `#${resultIdOf({ id: file.id, at })}`}`;
  const tags = Object.entries(file.tags).map(([name, value]) => html`<span>${name}=${value}</span> `);
  const none = 'This file has no passages here: it is empty, or waits to be indexed.';
  return document({
    title: `${title} · Waymark`,
    body: html`<header class="bar"><a id="back" href="${back}">← Results</a></header>
<main class="file">
<h1 dir="auto">${title}</h1>
<p class="place"><bdi dir="ltr">${file.key}</bdi></p>
<p class="tags">${tags}</p>
${from > 0 ? html`<p><a href="${pageAt(from - SIZE)}">↑ Earlier passages</a></p>` : undefined}
${sections.length > 0 ? sections : html`<p class="notice">${none}</p>`}
${found.length > SIZE ? html`<p><a href="${pageAt(from + SIZE)}">↓ Later passages</a></p>` : undefined}
</main>`,
  });
}

/** The headings between two passages whose texts contain none. */
function headingsBetween(above: readonly string[], below: readonly string[]): Html[] {
  const same = below.findIndex((heading, i) => heading !== above[i]);
  const added = same < 0 ? [] : below.slice(same);
  return added.map((heading, i) => {
    const level = Math.min(same + i + 1, 6);
    return html`<p class="heading" dir="auto" role="heading" aria-level="${Math.max(level, 2)}">${heading}</p>\n`;
  });
}
