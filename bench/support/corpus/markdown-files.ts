import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface MarkdownFile {
  /** Relative path with forward slashes. */
  readonly key: string;
  readonly text: string;
}

/** The markdown files in a folder that Waymark would index, by key. */
export function readMarkdown(folder: string): MarkdownFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((key) => /\.mdx?$/.test(key) && !/(^|\/)(\.|node_modules\/)/.test(key))
    .sort()
    .map((key) => ({ key, text: readFileSync(path.join(folder, key), 'utf8') }));
}
