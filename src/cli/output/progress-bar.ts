import { SingleBar } from 'cli-progress';
import { counted } from '../../index.js';
import { printMessage } from './print.js';
import { movesCursor } from './terminal.js';

/** Milliseconds between lines where there is no terminal: often enough to follow, rarely enough for a log. */
const INTERVAL = 5000;

/** Columns of a bar. */
const BAR = 30;
const NARROWEST = 4;

/** How far a step of the work is. */
export interface StepProgress {
  /** What is done, as `Reading`. Another one is another step, with a bar of its own. */
  readonly verb: string;
  /** What is counted, in the singular. */
  readonly noun: string;
  readonly done: number;
  readonly total: number;
}

/** Shows progress on stderr: a bar where the cursor can be moved, otherwise a line per step and every few seconds. */
export class ProgressBar {
  readonly #terminal = movesCursor(process.stderr);
  #verb: string | undefined;
  #bar: SingleBar | undefined;
  /** When the step began. */
  #began = 0;
  /** When the last line was written. */
  #lastWrite = 0;

  /** Shows a step as far as it is, with its speed and the time that it needs at that speed. */
  update({ verb, noun, done, total }: StepProgress): void {
    if (verb !== this.#verb) this.#begin(verb, { noun, total });
    const seconds = (performance.now() - this.#began) / 1000;
    const rate = seconds > 0 ? done / seconds : 0;
    const remaining = rate > 0 ? (total - done) / rate : undefined;
    const shown = { rate: rate.toFixed(rate < 10 ? 1 : 0), remaining: timeLeft(remaining) };
    this.#bar?.update(done, shown);
    if (this.#terminal || Date.now() - this.#lastWrite < INTERVAL) return;
    this.#lastWrite = Date.now();
    printMessage(`${done} of ${total}, ${shown.rate}/s, ${shown.remaining}`);
  }

  /** Takes the bar off the terminal's last line; what is written next begins a line. */
  stop(): void {
    this.#bar?.stop();
    this.#bar = undefined;
  }

  #begin(verb: string, { noun, total }: Pick<StepProgress, 'noun' | 'total'>): void {
    this.stop();
    this.#verb = verb;
    this.#began = performance.now();
    this.#lastWrite = Date.now();
    if (total === 0) return;
    if (!this.#terminal) {
      printMessage(`${verb} ${counted(total, noun)}`);
      return;
    }
    const { format, barsize } = layoutOf(verb, { total, noun, columns: process.stderr.columns || 80 });
    this.#bar = new SingleBar({ format, stream: process.stderr, barsize, hideCursor: true });
    this.#bar.start(total, 0, { rate: '0', remaining: timeLeft(undefined) });
  }
}

/** The most detailed layout that fits: a wider line would be cut, and scroll with each update. */
export function layoutOf(
  verb: string,
  { total, noun, columns }: { readonly total: number; readonly noun: string; readonly columns: number },
): { readonly format: string; readonly barsize: number } {
  const nouns = `${noun}${total === 1 ? '' : 's'}`;
  const layouts = [
    `${verb} {bar} {value}/{total} ${nouns}, {rate}/s, {remaining}`,
    `${verb} {bar} {value}/{total}, {rate}/s, {remaining}`,
    `${verb} {bar} {value}/{total}, {remaining}`,
  ];
  for (const format of layouts) {
    const longest = { bar: '', value: String(total), total: String(total), rate: '9999', remaining: '999 min left' };
    const rest = Object.entries(longest).reduce((line, [name, text]) => line.replace(`{${name}}`, text), format);
    const barsize = Math.min(BAR, columns - 1 - rest.length);
    if (barsize >= NARROWEST) return { format, barsize };
  }
  return { format: '{value}/{total}, {remaining}', barsize: NARROWEST };
}

/** Seconds as people say them; undefined until the first item is done. */
function timeLeft(seconds: number | undefined): string {
  if (seconds === undefined) return 'starting';
  if (seconds < 60) return `${Math.ceil(seconds)} s left`;
  return `${Math.ceil(seconds / 60)} min left`;
}
