import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Html, html } from '../../../http/html.js';
import { counted } from '../../../index.js';
import { printableJson } from '../../output/printable.js';
import type { MapData } from './map-data.js';

/** The beginning of every map file. */
export const BEGINNING = '<!doctype html>\n<!-- waymark map -->\n';

const STYLE = own('map.css');
const SCRIPT = own('map.js');

/** Nothing is loaded, and no other script or style runs than these. */
const POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** A map as one file of HTML that needs nothing else. */
export function mapPage(data: MapData): string {
  const title = `Map of ${counted(data.passages.length, 'passage')}`;
  const page = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Waymark</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<h1>${title}</h1>
<label>Words <input id="words" type="search" placeholder="Highlight passages" autocomplete="off"></label>
<div class="zoom">
<button id="in" aria-label="Zoom in">+</button>
<button id="out" aria-label="Zoom out">−</button>
<button id="whole">Whole map</button>
</div>
</header>
<div id="map">
<canvas tabindex="0" role="application" aria-label="${title}" aria-describedby="keys"></canvas>
<div id="hover" aria-hidden="true" hidden></div>
<noscript>This map needs JavaScript: allow it for this file.</noscript>
</div>
</main>
<aside aria-label="Passages and folders">
<fieldset id="folders"><legend>Folders</legend></fieldset>
<section aria-label="Chosen passage" id="chosen" aria-live="polite"></section>
<section aria-label="Found" id="found"><p id="count" role="status"></p><ol></ol></section>
<div id="queries"></div>
<p id="keys">Points near each other have similar meanings; the directions mean nothing. On the map, arrow keys go from
passage to passage, + and − zoom, 0 shows the whole map, Esc deselects the passage.</p>
</aside>
<script type="application/json" id="data">${inScript(data)}</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
  return BEGINNING + page.text;
}

/** A file of the page, which the build makes. It must not end the element that it becomes the text of. */
function own(name: string): Html {
  return new Html(readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8'));
}

function hashOf({ text }: Html): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** JSON as the text of a script element, which no text in it can end. */
function inScript(data: MapData): Html {
  return new Html(printableJson(JSON.stringify(data)).replaceAll('<', '\\u003c'));
}
