// One worker thread: text in, passages out. Parsing is kept off the calling thread because a long file takes a second,
// and because some texts of a few kilobytes take the parser minutes: the thread is ended then.
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { CountTokens, TokenCounterSource } from '../../embed/embedder.js';
import type { Cutting } from '../../formats/markdown/gather.js';
import { cutLines, type ParsedFile, parseMarkdown } from '../../formats/markdown/passages.js';
import type { PassageToPut } from '../../storage/passage-store.js';
import { termsOf } from '../../text/terms.js';

export interface ParseWorkerData {
  readonly counter: TokenCounterSource;
  readonly cutting: Cutting;
  readonly maxTokens: number;
}

export interface ParseJob {
  readonly text: string;
  /** Set where the text is not to be parsed: why. */
  readonly plain?: string;
}

/** A file cut into passages that are ready to be put. */
export type CutFile = Omit<ParsedFile, 'passages'> & { readonly passages: readonly PassageToPut[] };

const { counter, cutting, maxTokens } = workerData as ParseWorkerData;
const port = parentPort;
if (!port) throw new Error('indexing/parse-worker is started by indexing/parse-pool');

// Searches that are asked meanwhile go first. On Linux a thread has a priority of its own; elsewhere this would be the process's.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const { default: load } = (await import(counter.module)) as {
  default: (argument: unknown) => CountTokens | Promise<CountTokens>;
};
const countTokens = await load(counter.argument);

port.on('message', ({ text, plain }: ParseJob) => {
  try {
    const options = { ...cutting, maxTokens, countTokens };
    const file = plain === undefined ? parseMarkdown(text, options) : cutLines(text, { ...options, reason: plain });
    port.postMessage({ file: { ...file, passages: file.passages.map(withPostings) } satisfies CutFile });
  } catch (error) {
    port.postMessage({ error });
  }
});

port.postMessage({ loaded: true });

function withPostings({ readable, ...passage }: ParsedFile['passages'][number]): PassageToPut {
  const breadcrumb = termsOf(passage.breadcrumb.join('\n')).join(' ');
  return { ...passage, postings: { breadcrumb, text: termsOf(readable).join(' ') } };
}
