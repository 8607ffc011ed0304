// One worker thread: text in, passages out. Parsing is kept off the calling thread because a long file takes a second,
// and because some texts of a few kilobytes take the parser minutes: the thread is ended then.
import { parentPort, workerData } from 'node:worker_threads';
import type { CountTokens, TokenCounterSource } from '../embed/embedder.js';
import { cutLines, parseMarkdown } from '../markdown/passages.js';

export interface ParseWorkerData {
  readonly counter: TokenCounterSource;
  readonly budget: number;
  readonly maxTokens: number;
}

export interface ParseJob {
  readonly text: string;
  /** Set where the text is not to be parsed: why. */
  readonly plain?: string;
}

const { counter, budget, maxTokens } = workerData as ParseWorkerData;
const port = parentPort;
if (!port) throw new Error('indexing/parse-worker is started by indexing/parse-pool');

const { default: load } = (await import(counter.module)) as {
  default: (argument: unknown) => CountTokens | Promise<CountTokens>;
};
const countTokens = await load(counter.argument);

port.on('message', ({ text, plain }: ParseJob) => {
  try {
    const options = { budget, maxTokens, countTokens };
    const file = plain === undefined ? parseMarkdown(text, options) : cutLines(text, { ...options, reason: plain });
    port.postMessage({ file });
  } catch (error) {
    port.postMessage({ error });
  }
});
