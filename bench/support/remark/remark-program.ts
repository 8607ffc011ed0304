// The program of a process that parses the markdown of the folders that it is sent, with bare remark.
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { readMarkdown } from '../corpus/markdown-files.js';
import { spent } from './spent.js';

/** Texts that are parsed before the clock starts: until it is compiled, remark is slow. */
const WARM_UP = 50;

const processor = unified().use(remarkParse).use(remarkFrontmatter, ['yaml', 'toml']).use(remarkGfm).freeze();

process.once('message', async (folders: readonly string[]) => {
  const texts = folders.flatMap((folder) => readMarkdown(folder).map(({ text }) => text));
  for (const text of texts.slice(0, WARM_UP)) processor.parse(text);
  const result = await spent(async () => {
    for (const text of texts) processor.parse(text);
  });
  process.send?.(result);
});
