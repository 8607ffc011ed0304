import { setTimeout } from 'node:timers/promises';

/**
 * Waits until a condition holds. Between two looks at it the core is left to what is awaited, which may be another
 * process on the only core; however long that takes, the test ends by its own time-out or not at all.
 */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await setTimeout(5);
}
