import parseMarkdown from '#src/formats/markdown/parse-markdown.js';
import type { ParsedFile, ParseOptions } from '#src/formats/parser.js';

/** Words and punctuation marks, plus two special tokens: a tokenizer that can be checked by eye. */
export function countWords(text: string): number {
  return (text.match(/\w+|[^\s\w]/gu)?.length ?? 0) + 2;
}

/** The options that a test sets; the others are large. */
export function options(given: Partial<ParseOptions> = {}): ParseOptions {
  return { budget: 100, embedBreadcrumb: true, maxTokens: 300, countTokens: countWords, ...given };
}

/** The passages' slices of the file. */
export function contents(text: string, given: Partial<ParseOptions> = {}): string[] {
  return parseMarkdown(text, options(given)).passages.map(({ start, end }) => text.slice(start, end));
}

/** The passages' embedded texts. */
export function embedded(text: string, given: Partial<ParseOptions> = {}): string[] {
  return parseMarkdown(text, options(given)).passages.map((passage) => passage.text);
}

/** An outline of a file: each passage's breadcrumb and its slice, in one line. */
export function outline(text: string, given: Partial<ParseOptions> = {}): string[] {
  const file: ParsedFile = parseMarkdown(text, options(given));
  return file.passages.map(({ breadcrumb, start, end }) => `${breadcrumb.join(' > ')}: ${text.slice(start, end)}`);
}
