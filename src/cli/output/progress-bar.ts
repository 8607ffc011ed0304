import { SingleBar } from 'cli-progress';
import type { IndexProgress } from '../../index.js';
import { counted } from './counted.js';
import { say } from './print.js';

/** Shows indexing progress on stderr: a bar on a terminal, otherwise one line per phase. */
export class ProgressBar {
  readonly #terminal = process.stderr.isTTY === true;
  #phase: IndexProgress['phase'] | undefined;
  #bar: SingleBar | undefined;

  update({ phase, files, passages, rate, remaining }: IndexProgress): void {
    const { done, total } = phase === 'read' ? files : passages;
    if (phase !== this.#phase) this.#begin(phase, total);
    this.#bar?.update(done, { rate: rate.toFixed(rate < 10 ? 1 : 0), remaining: timeLeft(remaining) });
  }

  stop(): void {
    this.#bar?.stop();
    this.#bar = undefined;
  }

  #begin(phase: IndexProgress['phase'], total: number): void {
    this.stop();
    this.#phase = phase;
    if (total === 0) return;
    const [verb, noun] = phase === 'read' ? ['Reading', 'file'] : ['Embedding', 'passage'];
    if (!this.#terminal) {
      say(`${verb} ${counted(total, noun)}`);
      return;
    }
    const format = `${verb.padEnd(9)} {bar} {value}/{total} ${noun}${total === 1 ? '' : 's'}, {rate}/s, {remaining}`;
    this.#bar = new SingleBar({ format, stream: process.stderr, barsize: 30, hideCursor: true });
    this.#bar.start(total, 0, { rate: '0', remaining: timeLeft(undefined) });
  }
}

function timeLeft(seconds: number | undefined): string {
  if (seconds === undefined) return 'starting';
  if (seconds < 60) return `${Math.ceil(seconds)} s left`;
  return `${Math.ceil(seconds / 60)} min left`;
}
