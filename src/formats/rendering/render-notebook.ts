import type { Render } from './render.js';
import { renderCode, renderPlainText } from './render-plain-text.js';

/** Code in a cell of markdown has fences, and text around them. */
const FENCE = /^[ \t>]*(?:```|~~~)/m;

/** A part of a notebook, as `showNotebook` shows it. */
export const renderNotebook: Render = (text, emphasis) =>
  emphasis.isCode && !FENCE.test(text) ? renderCode(text, emphasis) : renderPlainText(text, emphasis);
