import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { PACKAGE_ROOT } from '../package-root.js';
import { UsageError } from '../usage-error.js';

/**
 * The peers are a package of their own, so that who installs Waymark never gets them, and in a folder of its own: what
 * lies beside its package.json could not import 'waymark'.
 */
const PACKAGE = path.join(PACKAGE_ROOT, 'bench', 'peers', 'packages');

const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
});

/** Installs the peers unless they are. Those with native code are optional: one that cannot be built is left out. */
export function installPeers(): void {
  if (existsSync(path.join(PACKAGE, 'node_modules'))) return;
  process.stderr.write('Installing what Waymark is compared with into bench/peers/packages …\n');
  const args = ['install', '--no-save', '--no-package-lock', '--prefix', PACKAGE];
  // npm's own stdout would be taken for the result.
  const options: SpawnSyncOptions = { cwd: PACKAGE, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' };
  const { status, error } = spawnSync('npm', args, options);
  if (status !== 0) throw new UsageError(`npm could not install the peers: ${error?.message ?? `code ${status}`}.`);
}

/** A module of the peers, as its declared type says it is. Throws `UsageError` where it is not installable here. */
export async function importPeer<Module>(name: string): Promise<Module> {
  const require = createRequire(path.join(PACKAGE, 'package.json'));
  try {
    return await import(pathToFileURL(require.resolve(name)).href);
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new UsageError(`not installable here: ${reason}`);
  }
}

/** The versions that are compared. */
export function peerVersions(): Readonly<Record<string, string>> {
  const text = readFileSync(path.join(PACKAGE, 'package.json'), 'utf8');
  const { dependencies, optionalDependencies } = manifestSchema.parse(JSON.parse(text));
  return { ...dependencies, ...optionalDependencies };
}
