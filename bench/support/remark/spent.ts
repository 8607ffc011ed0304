/** What a call took. */
export interface Spent {
  readonly seconds: number;
  /** CPU seconds of all threads of this process; on a machine with other work they say more than the time. */
  readonly cpu: number;
}

export async function spent(call: () => Promise<unknown>): Promise<Spent> {
  const [started, before] = [performance.now(), process.cpuUsage()];
  await call();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - started) / 1000, cpu: (user + system) / 1e6 };
}
