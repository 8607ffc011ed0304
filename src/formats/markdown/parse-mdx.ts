import type { ParsedFile, ParseOptions } from '../parser.js';
import { parseFlavour } from './parse-markdown.js';

/** The same as for markdown, where tags are components and nothing is HTML. */
export default function parseMdx(text: string, options: ParseOptions): ParsedFile {
  return parseFlavour(text, { ...options, mdx: true });
}
