// A worker thread: text in, passages out. Parsing would block the calling thread for a second if a file is long, and
// for minutes with some texts of a few kilobytes; a worker can be terminated.
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Breadcrumb } from '../../domain/passage.js';
import type { CountTokens } from '../../embed/embedder.js';
import type { Extract, Parse, ParsedPassage } from '../../formats/parser.js';
import type { PassageToPut } from '../../storage/passage-store.js';
import { termsOf } from '../../text/terms.js';
import { measure } from './measured-passage.js';
import type { ExtractJob, Job, MeasureJob, ParseJob, ParseMessage, ParseSettings, ResultOf } from './parse-job.js';
import { currentThread } from './thread-time.js';

const { counter, cutting, maxTokens, passagePrefix } = workerData as ParseSettings;
const port = parentPort;
if (!port) throw new Error('indexing/parsing/parse-worker is started by parse-thread');

const { default: load } = (await import(counter.module)) as {
  default: (argument: unknown) => CountTokens | Promise<CountTokens>;
};
const count = await load(counter.argument);
/** Passages that are decoded at a time: about a millisecond. */
const PORTION = 256;

/** The tokens that the model reads of a text. */
const countTokens: CountTokens = (text) => count(passagePrefix + text);

const thread = currentThread();
const parsers = new Map<string, Parse>();
let lastBreadcrumb = { text: '', terms: '' };

port.on('message', async (job: Job) => {
  try {
    send({ type: 'result', result: await resultOf(job) });
  } catch (error) {
    send({ type: 'error', error });
  }
});

function resultOf(job: Job): Promise<ResultOf<Job>> | ResultOf<Job> {
  if ('contents' in job) return measureAll(job.contents);
  return 'bytes' in job ? extractText(job) : parseText(job);
}

async function extractText({ bytes, extractor }: ExtractJob): Promise<ResultOf<ExtractJob>> {
  const { default: extract } = (await import(extractor)) as { default: Extract };
  begin();
  return { text: (await extract(bytes)).toWellFormed() };
}

async function parseText({ text, parser, otherwiseTitled }: ParseJob): Promise<ResultOf<ParseJob>> {
  const parse = parsers.get(parser) ?? (await loadParser(parser));
  begin();
  const file = parse(text, { ...cutting, maxTokens, otherwiseTitled, countTokens });
  const passages = Array.from({ length: Math.ceil(file.passages.length / PORTION) }, (_, i) =>
    JSON.stringify(file.passages.slice(i * PORTION, (i + 1) * PORTION).map(withPostings)),
  );
  return { ...file, passages };
}

function measureAll(contents: readonly string[]): ResultOf<MeasureJob> {
  begin();
  return contents.map((content) => measure(content, countTokens));
}

/**
 * Searches take precedence over a text, but not over loading the modules, for which somebody's first text waits. On
 * Linux a thread has its own priority; elsewhere this would change that of the process.
 */
function begin(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  send({ type: 'loaded', thread });
}

async function loadParser(url: string): Promise<Parse> {
  const { default: parse } = (await import(url)) as { default: Parse };
  parsers.set(url, parse);
  return parse;
}

function send(message: ParseMessage): void {
  port?.postMessage(message);
}

function withPostings({ readable, ...passage }: ParsedPassage): PassageToPut {
  const breadcrumb = breadcrumbTerms(passage.breadcrumb);
  return { ...passage, postings: { breadcrumb, text: termsOf(readable).join(' ') } };
}

/** The terms of a breadcrumb. Passages one after the other often have the same. */
function breadcrumbTerms(breadcrumb: Breadcrumb): string {
  const text = breadcrumb.join('\n');
  if (text !== lastBreadcrumb.text) lastBreadcrumb = { text, terms: termsOf(text).join(' ') };
  return lastBreadcrumb.terms;
}
