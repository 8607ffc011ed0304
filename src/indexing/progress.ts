/** How far indexing has come. */
export interface IndexProgress {
  /** Reading and cutting files, then embedding their passages. */
  readonly phase: 'read' | 'embed';
  /** Files that are new or changed. */
  readonly files: { readonly done: number; readonly total: number };
  /** Passages to be embedded; their total is known when all files are read. */
  readonly passages: { readonly done: number; readonly total: number };
  /** Of the phase: files or passages a second. */
  readonly rate: number;
  /** Seconds that the phase will take yet at this rate; undefined before the first is done. */
  readonly remaining: number | undefined;
}

/** Counts what is done and reports each step. */
export class ProgressMeter {
  readonly #report: ((progress: IndexProgress) => void) | undefined;
  #phase: IndexProgress['phase'] = 'read';
  #files = { done: 0, total: 0 };
  #passages = { done: 0, total: 0 };
  #started = performance.now();

  constructor(report: ((progress: IndexProgress) => void) | undefined) {
    this.#report = report;
  }

  start(phase: IndexProgress['phase'], total: number): void {
    this.#phase = phase;
    this.#started = performance.now();
    if (phase === 'read') this.#files = { done: 0, total };
    else this.#passages = { done: 0, total };
    this.advance(0);
  }

  advance(by: number): void {
    const current = this.#phase === 'read' ? this.#files : this.#passages;
    current.done += by;
    // A text may come to be embedded while others are.
    current.total = Math.max(current.total, current.done);
    const seconds = (performance.now() - this.#started) / 1000;
    const rate = seconds > 0 ? current.done / seconds : 0;
    const remaining = rate > 0 ? (current.total - current.done) / rate : undefined;
    this.#report?.({ phase: this.#phase, files: { ...this.#files }, passages: { ...this.#passages }, rate, remaining });
  }
}
