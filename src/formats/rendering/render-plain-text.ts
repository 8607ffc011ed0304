import type { ElementContent, Root } from 'hast';
import type { Render } from './render.js';
import { safeHtml } from './safe-html.js';

/** A text without markup, line by line. */
export const renderPlainText: Render = (text, { sentence, terms }) => {
  const { start, end } = sentence ?? { start: 0, end: 0 };
  const parts: ElementContent[] = [
    { type: 'text', value: text.slice(0, start) },
    { type: 'element', tagName: 'mark', properties: {}, children: [{ type: 'text', value: text.slice(start, end) }] },
    { type: 'text', value: text.slice(end) },
  ];
  const lines: ElementContent[] = end > start ? parts : [{ type: 'text', value: text }];
  const root: Root = { type: 'root', children: [{ type: 'element', tagName: 'pre', properties: {}, children: lines }] };
  return safeHtml(root, { terms });
};
