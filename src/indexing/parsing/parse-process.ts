import type { ChildProcess } from 'node:child_process';
import { reasonOf } from '../../domain/errors.js';
import { forkProgram, holdCaller, releaseCaller } from '../../domain/forked-program.js';
import { textParts, utf8Parts } from '../../text/parts.js';
import { Allowance, TICK } from './allowance.js';
import {
  type Exceeded,
  type Job,
  type JobLimits,
  PART,
  type ParseReply,
  type ParseRequest,
  type ParseSettings,
  type Result,
} from './parse-job.js';
import { mainThreadTime, residentMemory } from './process-usage.js';
import type { Worker } from './worker-pool.js';

const PROGRAM = new URL('./parser-program.js', import.meta.url);

/**
 * Milliseconds, not counting pauses of the machine, after which a process that is still loading its modules is given
 * up.
 */
const LOADING_TIME = 60_000;

/** How a process ends if V8 gets no more memory, by system and version. */
const OUT_OF_MEMORY: readonly unknown[] = ['SIGABRT', 'SIGTRAP', 'SIGILL', 133, 134];

/** Thrown when a process ended while it worked on a job. */
export class ParserDied extends Error {
  /** Whether a signal ended it: because its text made it crash, or from outside, such as when memory is short. */
  readonly wasKilled: boolean;

  constructor(message: string, { wasKilled = false, cause }: { wasKilled?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.wasKilled = wasKilled;
  }
}

/** A process that does one job at a time. While idle it does not keep the calling process alive. */
export class ParseProcess implements Worker {
  readonly #process: ChildProcess;
  readonly #ended: Promise<void>;
  #hasEnded = false;
  /** What happens to the current job if the process ends. */
  #onDeath = () => {};
  /** Why the process ended, as it said itself. */
  #failure: unknown;

  /**
   * Calls `onEnd` once the process has ended, for whatever reason. `heap` is the maximum size of its heap in
   * megabytes. Throws `ParserDied` if the process cannot be started.
   */
  constructor(settings: ParseSettings, { heap, onEnd }: { heap: number; onEnd: () => void }) {
    this.#process = start(heap);
    this.#process.on('message', (reply: ParseReply) => {
      if (reply.type === 'failed') this.#failure = reply.error;
    });
    this.#ended = new Promise((resolve) => {
      const end = () => {
        this.#hasEnded = true;
        onEnd();
        this.#onDeath();
        resolve();
      };
      // Not on `exit`: the last message of the process may arrive after it.
      this.#process.once('close', end);
      this.#process.on('error', (error) => {
        this.#failure ??= error;
        if (this.#process.pid === undefined && !this.#hasEnded) end();
      });
    });
    void this.#send({ settings, parent: process.pid });
  }

  /**
   * Does a job. One that exceeds a limit ends the process. Throws what the parser throws, and `ParserDied` if the
   * process ends otherwise or does nothing.
   */
  async run<J extends Job>(job: J, limits: JobLimits): Promise<Result<J> | Exceeded> {
    const outcome = await this.#outcomeOf(job, limits);
    if (typeof outcome === 'string') await this.end();
    if (outcome === 'stalled') throw new ParserDied('its process did nothing for a minute');
    return outcome as Result<J> | Exceeded;
  }

  /** Kills the process, which holds no state worth saving. */
  async end(): Promise<void> {
    this.hold();
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  hold(): void {
    holdCaller(this.#process);
  }

  release(): void {
    releaseCaller(this.#process);
  }

  #outcomeOf(job: Job, limits: JobLimits): Promise<Result<Job> | Exceeded | 'stalled'> {
    return new Promise((resolve, reject) => {
      const parts: string[] = [];
      // Modules load slowly on a busy machine, and the text is not to blame.
      const loading = new Allowance(LOADING_TIME);
      let tick = (): Exceeded | 'stalled' | undefined => loading.tick(undefined) && 'stalled';
      const ticks = setInterval(() => {
        const over = tick();
        if (over) settle(() => resolve(over));
      }, TICK);
      const settle = (action: () => void) => {
        clearInterval(ticks);
        this.#process.off('message', onReply);
        this.#onDeath = () => {};
        action();
      };
      const onReply = (reply: ParseReply) => {
        if (reply.type === 'loaded') tick = this.#watch(limits);
        if (reply.type === 'part') parts.push(reply.part);
        if (reply.type === 'value') settle(() => resolve({ value: reply.value, parts }));
        if (reply.type === 'error') settle(() => reject(reply.error));
      };
      this.#process.on('message', onReply);
      this.#onDeath = () =>
        settle(() => {
          const death = this.#death();
          if (death === 'memory') resolve(death);
          else reject(death);
        });
      if (this.#hasEnded) this.#onDeath();
      void this.#sendJob(job);
    });
  }

  /** Why the process has ended while it worked on a job. */
  #death(): 'memory' | ParserDied {
    const cause = this.#failure;
    const { signalCode: signal, exitCode: code } = this.#process;
    if (cause !== undefined) return new ParserDied(reasonOf(cause), { cause });
    if (OUT_OF_MEMORY.includes(signal ?? code)) return 'memory';
    return new ParserDied(`its process ended with ${signal ?? `code ${code}`}`, { wasKilled: signal !== null });
  }

  /** Returns a function that says why a job must end, if it must. Call that every `TICK` milliseconds. */
  #watch({ processorTime, memory }: JobLimits): () => Exceeded | 'stalled' | undefined {
    const { pid } = this.#process;
    if (pid === undefined) return () => undefined;
    const time = new Allowance(processorTime);
    time.tick(mainThreadTime(pid));
    const before = residentMemory(pid) ?? Number.POSITIVE_INFINITY;
    return () => {
      const over = time.tick(mainThreadTime(pid));
      // Resident memory is that of the heap and outside.
      return over ?? ((residentMemory(pid) ?? 0) - before > memory * 2 ** 20 ? 'memory' : undefined);
    };
  }

  /** Sends a long text, or many bytes, in parts: one message would block the event loop until it is written. */
  async #sendJob(job: Job): Promise<void> {
    if ('contents' in job) return this.#send({ job });
    const parts = [...('text' in job ? textParts(job.text, PART) : utf8Parts(job.bytes, PART))];
    const last = parts.pop();
    for (const part of parts) await this.#send({ part });
    await this.#send({ job: { ...job, ...('text' in job ? { text: last } : { bytes: last }) } as Job });
  }

  /** Resolves when the message is written, or cannot be written: the end of a process is reported by its events. */
  #send(request: ParseRequest): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#process.connected) return resolve();
      this.#process.send(request, () => resolve());
    });
  }
}

/** Starts a process with a heap of at most `heap` megabytes. Throws `ParserDied`. */
function start(heap: number): ChildProcess {
  try {
    return forkProgram(PROGRAM, { flags: [`--max-old-space-size=${heap}`] });
  } catch (cause) {
    throw new ParserDied(reasonOf(cause), { cause });
  }
}
