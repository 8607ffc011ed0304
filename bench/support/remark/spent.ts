import { childrenOf, cpuSecondsOf, cpuSecondsOfEnded } from '../processes/proc.js';

/** What a call took. */
export interface Spent {
  readonly seconds: number;
  /**
   * CPU seconds of this process and of those that it started; on a machine with other work they say more than the time.
   */
  readonly cpu: number;
}

export async function spent(call: () => Promise<unknown>): Promise<Spent> {
  const [started, before] = [performance.now(), cpuSeconds()];
  await call();
  return { seconds: (performance.now() - started) / 1000, cpu: cpuSeconds() - before };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  const running = childrenOf(process.pid).reduce((sum, child) => sum + (cpuSecondsOf(child) ?? 0), 0);
  return (user + system) / 1e6 + running + (cpuSecondsOfEnded(process.pid) ?? 0);
}
