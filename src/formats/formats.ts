import { type Format, FormatTable } from './format-table.js';

/** CommonMark with GFM and front matter, in any flavour: that of Quarto and R Markdown has endings of its own. */
export const markdown: Format = {
  name: 'markdown',
  contentType: 'text/markdown',
  aliases: ['text/x-markdown'],
  extensions: ['md', 'markdown', 'qmd', 'rmd'],
  parser: new URL('./markdown/parse-markdown.js', import.meta.url),
  see: async () => (await import('./markdown/visible/visible-markdown.js')).seeMarkdown,
  show: async () => (await import('./markdown/visible/shown-markdown.js')).showMarkdown,
  isShownWithMarkup: true,
  render: async () => (await import('./rendering/render-markdown.js')).renderMarkdown,
};

/** Markdown with JSX. */
export const mdx: Format = {
  name: 'MDX',
  contentType: 'text/mdx',
  extensions: ['mdx'],
  parser: new URL('./markdown/parse-mdx.js', import.meta.url),
  see: async () => (await import('./markdown/visible/visible-markdown.js')).seeMdx,
  show: async () => (await import('./markdown/visible/shown-markdown.js')).showMdx,
  isShownWithMarkup: true,
  render: async () => (await import('./rendering/render-markdown.js')).renderMdx,
};

/** Text cut at line ends. A text that is too much for its own parser is cut in this way, too. */
export const plainText: Format = {
  name: 'plain text',
  contentType: 'text/plain',
  extensions: ['txt', 'text', 'log'],
  parser: new URL('./plain/parse-plain-text.js', import.meta.url),
};

/** HTML as browsers read it, without navigation and controls. */
export const html: Format = {
  name: 'HTML',
  contentType: 'text/html',
  aliases: ['application/xhtml+xml'],
  extensions: ['html', 'htm', 'xhtml'],
  parser: new URL('./html/parse-html.js', import.meta.url),
  declaredEncoding: async () => (await import('./html/declared-encoding.js')).declaredEncoding,
  see: async () => (await import('./html/visible-html.js')).seeHtml,
  show: async () => (await import('./html/visible-html.js')).showHtml,
};

/** Rows of values, with commas or another delimiter between them. */
export const csv: Format = {
  name: 'CSV',
  contentType: 'text/csv',
  extensions: ['csv'],
  parser: new URL('./rows/parse-csv.js', import.meta.url),
  see: async () => (await import('./rows/visible-rows.js')).seeCsv,
  show: async () => (await import('./rows/visible-rows.js')).showCsv,
};

/** Rows of values, with tabs between them. */
export const tsv: Format = {
  name: 'TSV',
  contentType: 'text/tab-separated-values',
  extensions: ['tsv', 'tab'],
  parser: new URL('./rows/parse-tsv.js', import.meta.url),
  see: async () => (await import('./rows/visible-rows.js')).seeTsv,
  show: async () => (await import('./rows/visible-rows.js')).showTsv,
};

/** One JSON value per line. */
export const jsonLines: Format = {
  name: 'JSON lines',
  contentType: 'application/jsonl',
  aliases: ['application/x-ndjson', 'application/x-jsonlines', 'application/jsonlines'],
  extensions: ['jsonl', 'ndjson'],
  parser: new URL('./rows/parse-json-lines.js', import.meta.url),
  see: async () => (await import('./rows/visible-rows.js')).seeJsonLines,
  show: async () => (await import('./rows/visible-rows.js')).showJsonLines,
};

/** Jupyter notebooks: their cells, without outputs. */
export const notebook: Format = {
  name: 'notebook',
  contentType: 'application/x-ipynb+json',
  extensions: ['ipynb'],
  parser: new URL('./notebook/parse-notebook.js', import.meta.url),
  see: async () => (await import('./notebook/visible-notebook.js')).seeNotebook,
  show: async () => (await import('./notebook/visible-notebook.js')).showNotebook,
  render: async () => (await import('./rendering/render-notebook.js')).renderNotebook,
};

/** PDF, as the text that is extracted from it. */
export const pdf: Format = {
  name: 'PDF',
  contentType: 'application/pdf',
  extensions: ['pdf'],
  extractor: new URL('./pdf/extract-pdf.js', import.meta.url),
  parser: new URL('./pdf/parse-pdf.js', import.meta.url),
};

/** Word documents, as the HTML that is extracted from them. */
export const docx: Format = {
  ...html,
  name: 'Word document',
  contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  aliases: [],
  extensions: ['docx'],
  extractor: new URL('./docx/extract-docx.js', import.meta.url),
};

/** Every format that is indexed. A new one is an entry here, and a module with its parser. */
export const formats = new FormatTable([markdown, mdx, plainText, html, csv, tsv, jsonLines, notebook, pdf, docx], {
  fallback: markdown,
});
