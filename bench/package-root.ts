import { createRequire } from 'node:module';
import path from 'node:path';

/** The folder of the Waymark that is measured: this repository. */
export const PACKAGE_ROOT = path.dirname(createRequire(import.meta.url).resolve('waymark/package.json'));
