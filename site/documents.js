import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Leaves, in .gitignore syntax, what users read: the site searches this. Decisions would drown it. */
export const IGNORE = ['/*', '!/README.md', '!/docs/', '/docs/decisions/'];
