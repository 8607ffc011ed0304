import { observer } from './observer.js';

/** Progress of indexing. */
export interface IndexProgress {
  /** Files are read and cut first, then their passages are embedded. */
  readonly phase: 'read' | 'embed';
  /** New and changed files. */
  readonly files: { readonly done: number; readonly total: number };
  /** Passages to embed. The total is known once all files are read. */
  readonly passages: { readonly done: number; readonly total: number };
  /** Files or passages per second, in this phase. */
  readonly rate: number;
  /** Seconds until the phase ends at this rate; undefined until the first item is done. */
  readonly remaining: number | undefined;
}

/** Counts finished work and reports each step. */
export class ProgressMeter {
  readonly #report: ((progress: IndexProgress) => void) | undefined;
  #phase: IndexProgress['phase'] = 'read';
  #files = { done: 0, total: 0 };
  #passages = { done: 0, total: 0 };
  #started = performance.now();

  constructor(report: ((progress: IndexProgress) => void) | undefined) {
    this.#report = report && observer('onProgress', report);
  }

  /** Begins a phase and reports it. */
  start(phase: IndexProgress['phase'], total: number): void {
    this.#phase = phase;
    this.#started = performance.now();
    if (phase === 'read') this.#files = { done: 0, total };
    else this.#passages = { done: 0, total };
    this.advance(0);
  }

  /** Counts items of the phase as done and reports. */
  advance(by: number): void {
    const current = this.#phase === 'read' ? this.#files : this.#passages;
    current.done += by;
    // More texts may be added while the first are embedded.
    current.total = Math.max(current.total, current.done);
    const seconds = (performance.now() - this.#started) / 1000;
    const rate = seconds > 0 ? current.done / seconds : 0;
    const remaining = rate > 0 ? (current.total - current.done) / rate : undefined;
    this.#report?.({ phase: this.#phase, files: { ...this.#files }, passages: { ...this.#passages }, rate, remaining });
  }
}
