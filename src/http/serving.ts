import type { Host } from '../index.js';
import type { Semaphore } from './connections/semaphore.js';
import type { Metrics } from './monitoring/metrics.js';
import type { Settings } from './server-options.js';

/** What routes share. */
export interface Serving {
  readonly host: Host;
  readonly settings: Settings;
  readonly metrics: Metrics;
  /** Limits how many searches run at a time. */
  readonly searches: Semaphore;
}
