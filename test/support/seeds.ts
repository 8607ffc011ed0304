import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';

/**
 * The seed of all properties of a run, for a Vitest configuration: FC_SEED, or a random one. It is printed before the
 * tests start, since a test that ends its process prints nothing.
 */
export function seeds(): { env: { FC_SEED: string }; setupFiles: string[] } {
  // Vitest loads a configuration once for each of its projects.
  if (process.env.FC_SEED === undefined) {
    process.env.FC_SEED = String(randomInt(2 ** 31));
    console.log(`Properties run with FC_SEED=${process.env.FC_SEED}; set it to repeat them.`);
  }
  const setupFiles = [fileURLToPath(new URL('./use-seed.ts', import.meta.url))];
  return { env: { FC_SEED: process.env.FC_SEED }, setupFiles };
}
