import type { BotFiles } from '../../index.js';
import { type Html, html } from '../html.js';
import { document } from './document.js';
import { addressOf, type PageRequest, resultIdOf } from './page-request.js';
import { joined, shownPassage } from './shown-passage.js';

/** Passages on a page: most files have fewer. */
const SIZE = 200;

/** Which passages of a file are shown. */
export interface FilePlace {
  readonly id: string;
  /** The position of the passage that a search found, which is marked. */
  readonly at: number | undefined;
  /** The position of any passage on the page to show; defaults to `at`, or to the first. */
  readonly from: number | undefined;
}

/** A file, passage by passage. Throws `FILE_MISSING`. */
export async function filePage(
  request: PageRequest,
  { place, files, signal }: { place: FilePlace; files: BotFiles; signal: AbortSignal },
): Promise<string> {
  const { file } = await files.getFile({ id: place.id });
  const found = request.query === '' ? undefined : place.at;
  const shown = place.from ?? place.at ?? 0;
  const from = shown - (shown % SIZE);
  // Reads one more, to know whether there are later passages.
  const read = await files.index.passagesOf(file.id, { from, to: from + SIZE });
  const passages = read.slice(0, SIZE);
  const title = passages[0]?.breadcrumb[0] ?? file.key;
  const sections: Html[] = [];
  let above: readonly string[] = [title];
  for (const passage of passages) {
    signal.throwIfAborted();
    sections.push(...headingsBetween(above, passage.breadcrumb));
    above = passage.breadcrumb;
    const isFound = passage.position === found;
    const { subtype } = passage;
    const showing = { index: files.index, contentType: file.contentType, subtype, marksSentence: true };
    const text = await shownPassage(joined([passage]), { ...showing, query: isFound ? request.query : '' });
    const { position } = passage;
    sections.push(
      isFound
        ? html`<section id="passage-${position}" class="passage marked" dir="auto"
 aria-label="The passage that was found">
${text}</section>\n`
        : html`<section id="passage-${position}" class="passage" dir="auto">${text}</section>\n`,
    );
  }
  const pageFrom = (position: number) => addressOf('/file', request, { ...place, id: file.id, from: position });
  const result = found === undefined ? '' : `#${resultIdOf({ id: file.id, at: found })}`;
  const tags = Object.entries(file.tags).map(([name, value]) => html`<span>${name}=${value}</span> `);
  const none = 'This file has no passages here: it is empty, or waits to be indexed.';
  return document({
    title: `${title} · Waymark`,
    body: html`<header class="bar"><a id="back" href="${addressOf('/', request)}${result}">← Results</a></header>
<main class="file">
<h1 dir="auto">${title}</h1>
<p class="place"><bdi dir="ltr">${file.key}</bdi></p>
<p class="tags">${tags}</p>
${from > 0 ? html`<p><a href="${pageFrom(from - SIZE)}">↑ Earlier passages</a></p>` : undefined}
${sections.length > 0 ? sections : html`<p class="notice">${none}</p>`}
${read.length > SIZE ? html`<p><a href="${pageFrom(from + SIZE)}">↓ Later passages</a></p>` : undefined}
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
