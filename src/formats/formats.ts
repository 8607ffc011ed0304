import { type Format, FormatTable, type IndexedFormat } from './format-table.js';

/** CommonMark with GFM and front matter, in any flavour. */
export const markdown: IndexedFormat = {
  name: 'markdown',
  contentType: 'text/markdown',
  aliases: ['text/x-markdown'],
  endings: ['md', 'markdown'],
  parser: new URL('./markdown/parse-markdown.js', import.meta.url),
  see: async () => (await import('./markdown/visible/visible-markdown.js')).seeMarkdown,
  show: async () => (await import('./markdown/visible/shown-markdown.js')).showMarkdown,
  inFolders: true,
};

/** Markdown with JSX. */
export const mdx: IndexedFormat = {
  name: 'MDX',
  contentType: 'text/mdx',
  endings: ['mdx'],
  parser: new URL('./markdown/parse-mdx.js', import.meta.url),
  see: async () => (await import('./markdown/visible/visible-markdown.js')).seeMdx,
  show: async () => (await import('./markdown/visible/shown-markdown.js')).showMdx,
  inFolders: true,
};

/** Text cut at line ends. A text that is too much for its own parser is cut in this way, too. */
export const plainText: IndexedFormat = {
  name: 'plain text',
  contentType: 'text/plain',
  endings: ['txt'],
  parser: new URL('./plain/parse-plain-text.js', import.meta.url),
  inFolders: false,
};

/** Known by their endings, so that what is stored has its content type. */
const STORED: readonly Format[] = [
  { name: 'HTML', contentType: 'text/html', endings: ['html'] },
  { name: 'JSON', contentType: 'application/json', endings: ['json'] },
  { name: 'PDF', contentType: 'application/pdf', endings: ['pdf'] },
];

/** Every format that Waymark knows. A new one is an entry here, and a module with its parser if it is indexed. */
export const formats = new FormatTable([markdown, mdx, plainText, ...STORED], { fallback: markdown });
