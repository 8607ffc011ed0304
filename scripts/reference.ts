/** Writes docs/reference/ from the code: `npm run docs`. */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commandsPage } from './reference/commands.js';
import { errorsPage } from './reference/errors.js';
import { limitsPage } from './reference/limits.js';
import { operationsPage } from './reference/operations.js';

/** The pages of docs/reference/ by their names. */
export const PAGES: Readonly<Record<string, () => string>> = {
  'commands.md': commandsPage,
  'errors.md': errorsPage,
  'limits.md': limitsPage,
  'operations.md': operationsPage,
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, page] of Object.entries(PAGES)) {
    writeFileSync(new URL(`../docs/reference/${name}`, import.meta.url), page());
  }
}
