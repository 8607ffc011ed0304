import { existsSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../domain/errors.js';

/**
 * The folder with the programs of embedding processes. No file in it is named, because the extension is `.ts` when run
 * from source.
 */
const PROGRAMS = 'processes';

// A CommonJS bundle has no `import.meta.url`, without which other modules would fail to load.
if (!import.meta.url) throw bundled();

/** Throws `PACKAGE_BUNDLED` if this module was put into a bundle, where that folder is not beside it. */
export function assertUnbundled(): void {
  // Some bundlers leave it undefined.
  const folder: string | undefined = import.meta.dirname;
  if (folder === undefined || !existsSync(path.join(folder, PROGRAMS))) throw bundled();
}

function bundled(): WaymarkError {
  const settings = "esbuild: --external:waymark, Vite: ssr.external, Next: serverExternalPackages: ['waymark']";
  const message = `Waymark does not run in a bundle: make the package external (${settings}).`;
  return new WaymarkError('PACKAGE_BUNDLED', message);
}
