import { setTimeout } from 'node:timers/promises';

/**
 * Waits until a condition holds. Between two checks, the core is free for what is awaited, which may be another process
 * on the only core. However long that takes, only the time limit of the test ends the wait.
 */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await setTimeout(5);
}
