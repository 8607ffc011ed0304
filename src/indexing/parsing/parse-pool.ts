import { availableParallelism } from 'node:os';
// Not the global timers: environments that replace them with browser timers return numbers.
import { clearTimeout, setTimeout } from 'node:timers';
import { hasCode, WaymarkError } from '../../domain/errors.js';
import { inTurns } from '../../domain/scheduling/in-turns.js';
import type { Format } from '../../formats/format-table.js';
import { plainText } from '../../formats/formats.js';
import { titleOfName } from '../../formats/title-of-name.js';
import type { PassageToPut } from '../../storage/passage-store.js';
import type { MeasuredPassage } from './measured-passage.js';
import type { CutFile, Exceeded, Job, JobLimits, ParseJob, ParseSettings, Result } from './parse-job.js';
import { ParseProcess, ParserDied } from './parse-process.js';
import { WorkerPool } from './worker-pool.js';

/**
 * Milliseconds of its process's processor time after which a parser is stopped: a base for any text plus an amount per
 * million characters, up to a maximum. Documentation takes 100 for the first 20,000 characters of a new process, then
 * about 1,000 per million; tables of small cells, ten times that.
 */
const PARSING = { base: 2_000, perMillion: 8_000, maximum: 10_000 };

/**
 * Milliseconds of processor time after which extracting the text of a file is stopped: a base for any file plus an
 * amount per megabyte, up to a maximum. A page of a PDF takes some 20.
 */
const EXTRACTING = { base: 10_000, perMegabyte: 4_000, maximum: 60_000 };

/** Milliseconds of processor time after which cutting a text at lines, or measuring passages, is stopped. */
const CUTTING = 10_000;

/** Additional milliseconds for cutting at lines, per million characters: prose takes 500, data up to 10,000. */
const CUTTING_PER_MILLION = 5_000;

/** Megabytes that a parser may take, in the heap and outside; documentation needs about 250 per million characters. */
const PARSER_MEMORY = 2048;

/** Share of a parser's memory that an extractor may take: parsers are our own code. */
const EXTRACTOR_SHARE = 0.5;

/** Milliseconds after which an idle process is ended: each takes about 90 MB. */
const IDLE = 5_000;

/** Characters of passages that are measured in one job, some 50 ms of work. */
const PORTION = 1 << 18;

/** Parses texts in processes of their own. The first text starts the first process; idle processes end. */
export class ParsePool {
  /** Maximum number of texts parsed concurrently. */
  readonly size: number;
  readonly #processes: WorkerPool<ParseProcess>;
  readonly #processorTime: number | undefined;
  readonly #memory: number;

  /**
   * `memory`, in megabytes, is what a parser may take, and defaults to 2,048; an extractor may take half of it.
   * `processes` defaults to the number of cores. `processorTime`, in milliseconds, replaces the time that a text has by
   * its length.
   */
  constructor(
    settings: ParseSettings,
    options?: { readonly processes?: number; readonly processorTime?: number; readonly memory?: number },
  ) {
    const { processes = availableParallelism(), processorTime, memory = PARSER_MEMORY } = options ?? {};
    this.size = processes;
    this.#processorTime = processorTime;
    this.#memory = memory;
    this.#processes = new WorkerPool({
      size: processes,
      start: (onEnd) => new ParseProcess(settings, { heap: memory, onEnd }),
      whenIdle: (retire) => {
        const timer = setTimeout(retire, IDLE).unref();
        return () => clearTimeout(timer);
      },
      closedError: () =>
        new WaymarkError('ENGINE_CLOSED', 'The engine was closed while a text was parsed: open it again.'),
    });
  }

  /**
   * Cuts the text of a file into passages. A text that takes its parser too much time or memory is cut at lines, with a
   * warning, and marked `isUnfinished`. Throws `INVALID_ARGUMENT` if even that is too much, `PARSER_FAILED`,
   * `ENGINE_CLOSED`.
   */
  async parse(
    text: string,
    { key, format }: { readonly key: string; readonly format: Format },
  ): Promise<CutFile & { readonly isUnfinished?: true }> {
    const file = { text, fallbackTitle: titleOfName(key) };
    if (format.parser.href === plainText.parser.href) return this.#cutAtLines(file);
    const limits = this.#parserLimits(parsingTime(text));
    const parsed = await this.#run({ ...file, parser: format.parser.href }, limits);
    if (typeof parsed !== 'string') return decoded(parsed);
    const fault = `too ${parsed === 'time' ? 'intricate' : 'large'} to be parsed ${within(limits, parsed)}`;
    const warning = `The ${format.name} is ${fault}: it was cut at lines, without headings.`;
    return { ...(await this.#cutAtLines(file)), warnings: [warning], isUnfinished: true };
  }

  /**
   * The text of a file that is not text. Throws an Error with the reason if the file has none, and if it takes too much
   * time or memory; `PARSER_FAILED`, `ENGINE_CLOSED`.
   */
  async extract(
    bytes: Uint8Array,
    { name, extractor }: { readonly name: string; readonly extractor: URL },
  ): Promise<string> {
    const limits = {
      processorTime: this.#processorTime ?? extractingTime(bytes),
      memory: this.#memory * EXTRACTOR_SHARE,
    };
    const result = await this.#run({ bytes, extractor: extractor.href }, limits);
    if (typeof result !== 'string') return result.parts.join('');
    throw new Error(`its text could not be extracted ${within(limits, result)}: split the ${name}`);
  }

  /**
   * Measures passages that a caller cut, a portion at a time, so that no message keeps the event loop busy. Throws
   * `INVALID_ARGUMENT` if that takes too much time or memory, `PARSER_FAILED`, `ENGINE_CLOSED`.
   */
  async measure(contents: readonly string[]): Promise<MeasuredPassage[]> {
    const measured: MeasuredPassage[] = [];
    const limits = this.#parserLimits(CUTTING);
    for (const portion of portionsOf(contents)) {
      const result = await this.#run({ contents: portion }, limits);
      if (typeof result === 'string') {
        const message = `The passages could not be read ${within(limits, result)}: set shorter ones.`;
        throw new WaymarkError('INVALID_ARGUMENT', message);
      }
      measured.push(...result.value);
    }
    return measured;
  }

  /** Ends all processes. Texts that are being parsed, or are waiting for a process, fail with `ENGINE_CLOSED`. */
  close(): Promise<void> {
    return this.#processes.close();
  }

  async #cutAtLines(file: Omit<ParseJob, 'parser'>): Promise<CutFile> {
    const { processorTime, memory } = this.#parserLimits(CUTTING);
    const limits = { processorTime: processorTime + (file.text.length / 1e6) * CUTTING_PER_MILLION, memory };
    const cut = await this.#run({ ...file, parser: plainText.parser.href }, limits);
    if (typeof cut !== 'string') return decoded(cut);
    const message = `The text could not be cut ${within(limits, cut)}: split the file.`;
    throw new WaymarkError('INVALID_ARGUMENT', message);
  }

  #parserLimits(processorTime: number): JobLimits {
    return { processorTime: this.#processorTime ?? processorTime, memory: this.#memory };
  }

  /** Runs a job, and once again if its process is killed: the cause may have been temporary. */
  async #run<J extends Job>(job: J, limits: JobLimits): Promise<Result<J> | Exceeded> {
    const attempt = () => this.#processes.use((process) => process.run(job, limits));
    try {
      return await attempt().catch((error) => {
        if (error instanceof ParserDied && error.wasKilled) return attempt();
        throw error;
      });
    } catch (cause) {
      if (!(cause instanceof ParserDied)) throw cause;
      throw new WaymarkError(
        'PARSER_FAILED',
        `The text could not be parsed (${cause.message}): check the files of the model, ` +
          "and the system's limits on memory, open files and processes.",
        { cause },
      );
    }
  }
}

/**
 * Whether parsing failed because of this text, as when its process was killed twice: other texts may still be parsed.
 */
export function isFailureOfText(error: unknown): boolean {
  return hasCode(error, 'PARSER_FAILED') && error.cause instanceof ParserDied && error.cause.wasKilled;
}

/** The limit that a job exceeded, for people. */
function within({ processorTime, memory }: JobLimits, exceeded: Exceeded): string {
  return exceeded === 'memory' ? `with ${memory} MB of memory` : `within ${Math.round(processorTime / 1000)} s`;
}

/** Decodes the passages of a file, part by part. */
async function decoded({ value, parts }: Result<ParseJob>): Promise<CutFile> {
  const passages: PassageToPut[] = [];
  for await (const part of inTurns(parts)) passages.push(...(JSON.parse(part) as PassageToPut[]));
  return { ...value, passages };
}

function parsingTime(text: string): number {
  return Math.min(PARSING.maximum, PARSING.base + (text.length / 1e6) * PARSING.perMillion);
}

function extractingTime({ length }: Uint8Array): number {
  return Math.min(EXTRACTING.maximum, EXTRACTING.base + (length / 2 ** 20) * EXTRACTING.perMegabyte);
}

/** Texts in order, in arrays of up to `PORTION` characters; a longer text is alone. */
function portionsOf(texts: readonly string[]): string[][] {
  const portions: string[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    characters += text.length;
    if (characters <= PORTION) {
      portions.at(-1)?.push(text);
    } else {
      portions.push([text]);
      characters = text.length;
    }
  }
  return portions;
}
