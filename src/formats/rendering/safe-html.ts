import type { Element, ElementContent, Nodes, Root } from 'hast';
import { type Schema, sanitize } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';
import { withoutHidden } from '../hidden.js';
import { markWords } from './marked-words.js';

/** What may be in a page: nothing that loads, runs, is a control, or has a name that the page could mistake. */
const SCHEMA: Schema = {
  tagNames: [
    ...['h3', 'h4', 'h5', 'h6', 'p', 'blockquote', 'pre', 'ul', 'ol', 'li', 'hr', 'br'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
    ...['em', 'strong', 'del', 'code', 'sup', 'a', 'mark'],
  ],
  attributes: { a: ['href'], ol: ['start'], th: ['align'], td: ['align'] },
  protocols: { href: ['http', 'https', 'mailto'] },
  strip: ['script', 'style'],
};

/** The HTML of a tree, with the words of a query highlighted. */
export function safeHtml(tree: Nodes, { terms }: { readonly terms: readonly string[] }): string {
  const root = sanitize(tree, SCHEMA) as Root | Element;
  markWords(root, terms);
  root.children = root.children.flatMap((node) => finished(node as ElementContent));
  return toHtml(root).trim();
}

/**
 * Links without an address of their own are their text. What may be wider than the page scrolls, and so the keyboard
 * reaches it: code and tables, but not lines of text, which a page wraps.
 */
function finished(node: ElementContent): ElementContent[] {
  if (node.type === 'text') return [{ ...node, value: withoutHidden(node.value) }];
  if (node.type !== 'element') return [];
  const children = node.children.flatMap(finished);
  switch (node.tagName) {
    case 'a':
      // Addresses that are relative to the file, or inside of it, lead nowhere here.
      if (!/^(https?|mailto):/i.test(String(node.properties.href ?? ''))) return children;
      return [{ ...node, properties: { ...node.properties, rel: ['noopener', 'noreferrer'] }, children }];
    case 'pre':
      return [{ ...node, properties: children.some(isCode) ? { tabIndex: 0 } : {}, children }];
    case 'table':
      return [{ type: 'element', tagName: 'div', properties: { tabIndex: 0 }, children: [{ ...node, children }] }];
    default:
      return [{ ...node, children }];
  }
}

function isCode(node: ElementContent): boolean {
  return node.type === 'element' && node.tagName === 'code';
}
