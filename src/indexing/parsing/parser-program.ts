// The program of a parse process: text in, passages out. Parsing would block the calling thread for a second if a file
// is long, and for minutes with some texts of a few kilobytes, and where V8 cannot get memory it ends its process.
import { constants, getPriority, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Breadcrumb } from '../../domain/passage.js';
import type { CountTokens } from '../../embed/embedder.js';
import type { Extract, Parse, ParsedPassage } from '../../formats/parser.js';
import type { PassageToPut } from '../../storage/passage-store.js';
import { textParts } from '../../text/parts.js';
import { termsOf } from '../../text/terms.js';
import { measure } from './measured-passage.js';
import {
  type ExtractJob,
  type Job,
  type MeasureJob,
  PART,
  type ParseJob,
  type ParseReply,
  type ParseRequest,
  type ParseSettings,
  type Result,
} from './parse-job.js';

/** The settings of the process with its token counter. */
interface Loaded extends ParseSettings {
  /** The tokens that the model reads of a text. */
  readonly countTokens: CountTokens;
}

/** Passages of a part: about a millisecond to decode. */
const PORTION = 256;

// V8 optimizes a function after it has run for some 130,000 of its bytecodes, and parsers are thousands of functions:
// optimizing them took as much time as they did. A version of V8 without this flag ignores it.
setFlagsFromString('--interrupt-budget=1000000');

/** Code units of a text that every parser parses within a few seconds. */
const SHORT = 1 << 16;

/** Milliseconds for which a process parses short texts without a thread that watches its parent. */
const UNWATCHED = 1000;

let loading: Promise<Loaded> | undefined;
/** The parts of the next job that have arrived. */
let parts: (string | Uint8Array)[] = [];
const parsers = new Map<string, Parse>();
let parent: number | undefined;
let isParentWatched = false;
let lastBreadcrumb = { text: '', terms: '' };

// A signal that ends a service reaches all processes of its terminal or unit. The parent decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit());
process.on('uncaughtException', fail);

process.on('message', async (request: ParseRequest) => {
  if ('settings' in request) {
    parent = request.parent;
    // Not at once: starting the thread takes a third of the time of everything else at the start.
    setTimeout(watchParent, UNWATCHED);
    loading = load(request.settings);
    loading.catch(fail);
  } else if ('part' in request) {
    parts.push(request.part);
  } else {
    const job = whole(request.job);
    if (!isShort(job)) watchParent();
    const loaded = await loading?.catch(() => undefined);
    if (!loaded) return;
    try {
      const { value, parts } = await resultOf(job, loaded);
      for (const part of parts) send({ type: 'part', part });
      send({ type: 'value', value });
    } catch (error) {
      send({ type: 'error', error });
    }
  }
});

async function load(settings: ParseSettings): Promise<Loaded> {
  const { counter, passagePrefix } = settings;
  const { default: loadCounter } = (await import(counter.module)) as {
    default: (argument: unknown) => CountTokens | Promise<CountTokens>;
  };
  const count = await loadCounter(counter.argument);
  return { ...settings, countTokens: (text) => count(passagePrefix + text) };
}

/** The complete job, joined with the parts that arrived before it. */
function whole(job: Job): Job {
  const before = parts;
  parts = [];
  if ('text' in job) return { ...job, text: [...before, job.text].join('') };
  return 'bytes' in job ? { ...job, bytes: Buffer.concat([...(before as Uint8Array[]), job.bytes]) } : job;
}

function watchParent(): void {
  if (isParentWatched) return;
  isParentWatched = true;
  new Worker(new URL('./parent-watch.js', import.meta.url), { workerData: parent, execArgv: [] }).unref();
}

function isShort(job: Job): boolean {
  return 'contents' in job || ('text' in job && job.text.length <= SHORT);
}

function resultOf(job: Job, loaded: Loaded): Promise<Result<Job>> | Result<Job> {
  if ('contents' in job) return measureAll(job.contents, loaded);
  return 'bytes' in job ? extractText(job) : parseText(job, loaded);
}

async function extractText({ bytes, extractor }: ExtractJob): Promise<Result<ExtractJob>> {
  const { default: extract } = (await import(extractor)) as { default: Extract };
  begin();
  return { value: undefined, parts: [...textParts((await extract(bytes)).toWellFormed(), PART)] };
}

async function parseText(
  { text, parser, fallbackTitle }: ParseJob,
  { cutting, maxTokens, countTokens }: Loaded,
): Promise<Result<ParseJob>> {
  const parse = parsers.get(parser) ?? (await loadParser(parser));
  begin();
  const { passages, ...value } = parse(text, { ...cutting, maxTokens, fallbackTitle, countTokens });
  const parts = Array.from({ length: Math.ceil(passages.length / PORTION) }, (_, i) =>
    JSON.stringify(passages.slice(i * PORTION, (i + 1) * PORTION).map(withPostings)),
  );
  return { value, parts };
}

function measureAll(contents: readonly string[], { countTokens }: Loaded): Result<MeasureJob> {
  begin();
  return { value: contents.map((content) => measure(content, countTokens)), parts: [] };
}

/** Starts the work once the modules are loaded. From then on, searches take precedence over the process. */
function begin(): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  // Only root may raise the priority of a process that was started with a lower one, as by nice.
  if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
  send({ type: 'loaded' });
}

async function loadParser(url: string): Promise<Parse> {
  const { default: parse } = (await import(url)) as { default: Parse };
  parsers.set(url, parse);
  return parse;
}

function send(reply: ParseReply): void {
  process.send?.(reply);
}

function fail(error: unknown): void {
  process.send?.({ type: 'failed', error } satisfies ParseReply, () => process.exit(1));
}

function withPostings({ readable, names, ...passage }: ParsedPassage): PassageToPut {
  const breadcrumb = breadcrumbTerms(passage.breadcrumb);
  const searched = names === undefined ? readable : `${names}\n${readable}`;
  return { ...passage, postings: { breadcrumb, text: termsOf(searched).join(' ') } };
}

/** The terms of a breadcrumb. Passages one after the other often have the same. */
function breadcrumbTerms(breadcrumb: Breadcrumb): string {
  const text = breadcrumb.join('\n');
  if (text !== lastBreadcrumb.text) lastBreadcrumb = { text, terms: termsOf(text).join(' ') };
  return lastBreadcrumb.terms;
}
