import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Host } from '../../index.js';
import type { Semaphore } from '../connections/semaphore.js';

const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];

/** Measurements for Prometheus, in a registry of their own, so that services in one process stay apart. */
export class Metrics {
  readonly registry = new Registry();
  readonly #durations: Histogram<'method' | 'route' | 'status'>;
  readonly #searches: Counter<'outcome'>;

  constructor({ host, searches }: { host: Host; searches: Semaphore }) {
    const registers = [this.registry];
    this.#durations = new Histogram({
      name: 'waymark_http_request_duration_seconds',
      help: 'Time until an answer was sent.',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers,
    });
    this.#searches = new Counter({
      name: 'waymark_searches_total',
      help: 'Searches, by whether they found passages, found none, or failed.',
      labelNames: ['outcome'],
      registers,
    });
    new Gauge({
      name: 'waymark_searches_running',
      help: 'Searches in progress.',
      registers,
      collect() {
        this.set(searches.running);
      },
    });
    new Gauge({
      name: 'waymark_pending_files',
      help: 'Uploaded files waiting to be indexed.',
      registers,
      collect() {
        this.set(host.status().pending);
      },
    });
  }

  answered(labels: { method: string; route: string; status: number }, milliseconds: number): void {
    this.#durations.observe(labels, milliseconds / 1000);
  }

  searched(outcome: 'found' | 'none' | 'failed'): void {
    this.#searches.inc({ outcome });
  }
}
