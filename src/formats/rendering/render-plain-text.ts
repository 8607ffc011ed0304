import type { ElementContent, Root } from 'hast';
import type { Emphasis, Render } from './render.js';
import { safeHtml } from './safe-html.js';

/** A text without markup, line by line. */
export const renderPlainText: Render = (text, emphasis) => inPre(linesOf(text, emphasis), emphasis);

/** A text whose lines are code, and not wrapped. */
export const renderCode: Render = (text, emphasis) =>
  inPre([{ type: 'element', tagName: 'code', properties: {}, children: linesOf(text, emphasis) }], emphasis);

function inPre(children: ElementContent[], { terms }: Emphasis): string {
  const root: Root = { type: 'root', children: [{ type: 'element', tagName: 'pre', properties: {}, children }] };
  return safeHtml(root, { terms });
}

function linesOf(text: string, { sentence }: Emphasis): ElementContent[] {
  const { start, end } = sentence ?? { start: 0, end: 0 };
  if (end <= start) return [{ type: 'text', value: text }];
  return [
    { type: 'text', value: text.slice(0, start) },
    { type: 'element', tagName: 'mark', properties: {}, children: [{ type: 'text', value: text.slice(start, end) }] },
    { type: 'text', value: text.slice(end) },
  ];
}
