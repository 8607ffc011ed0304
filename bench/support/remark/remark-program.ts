// The program of a process that parses a share of the markdown of some folders with bare remark. It answers the share
// once it is ready, and then the request to parse with the CPU seconds that this took.
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { readMarkdown } from '../corpus/markdown-files.js';
import { spent } from './spent.js';

/** Every `of`-th text of the folders, beginning with number `at`. */
export interface Share {
  readonly folders: readonly string[];
  readonly at: number;
  readonly of: number;
}

/** Texts that are parsed before the clock starts: until it is compiled, remark is slow. */
const WARM_UP = 50;

const processor = unified().use(remarkParse).use(remarkFrontmatter, ['yaml', 'toml']).use(remarkGfm).freeze();

process.once('message', ({ folders, at, of }: Share) => {
  const texts = folders.flatMap((folder) => readMarkdown(folder).map(({ text }) => text));
  const share = texts.filter((_, i) => i % of === at);
  for (const text of share.slice(0, WARM_UP)) processor.parse(text);
  process.once('message', async () => {
    const { cpu } = await spent(async () => {
      for (const text of share) processor.parse(text);
    });
    process.send?.(cpu);
  });
  process.send?.('ready');
});
