import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { type Spent, spent } from './spent.js';

/** Threads of remark that reading is compared with. */
const THREADS = 2;

/** The most that reading should take, as a multiple of what two threads of bare remark would. */
export const MOST_REMARK = 2;

/** Texts that are parsed before the clock starts: until it is compiled, remark is slow. */
const WARM_UP = 50;

const processor = unified().use(remarkParse).use(remarkFrontmatter, ['yaml', 'toml']).use(remarkGfm).freeze();

/** What it takes one thread to parse texts with remark and GFM, without a use of the trees. */
export function bareRemark(texts: readonly string[]): Promise<Spent> {
  for (const text of texts.slice(0, WARM_UP)) processor.parse(text);
  return spent(async () => {
    for (const text of texts) processor.parse(text);
  });
}

/** Seconds as a multiple of what two threads of bare remark would take. */
export function timesRemark(seconds: number, remark: Pick<Spent, 'seconds'>): number {
  return seconds / (remark.seconds / THREADS);
}
