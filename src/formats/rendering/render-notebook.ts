import type { Render } from './render.js';
import { renderCode, renderPlainText } from './render-plain-text.js';

/** A line that begins or ends fenced code. */
export const FENCE = /^[ \t>]*(?:```|~~~)/m;
/** What begins and ends a string of several lines, in which a fence is a part of the code. */
const LONG_STRING = /"""|'''/g;

/** A part of a notebook, as `showNotebook` shows it. */
export const renderNotebook: Render = (text, emphasis) =>
  emphasis.isCode && !isMarkdown(text) ? renderCode(text, emphasis) : renderPlainText(text, emphasis);

/** Whether code is in a cell of markdown: it has fences, and text around them. */
function isMarkdown(text: string): boolean {
  const fence = FENCE.exec(text);
  if (!fence) return false;
  const quotes = text.slice(0, fence.index).match(LONG_STRING) ?? [];
  return quotes.length % 2 === 0;
}
