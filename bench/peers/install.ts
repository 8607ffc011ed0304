import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { UsageError } from '../support/cli/usage-error.js';
import { PACKAGE_ROOT } from '../support/folders/paths.js';
import { log } from '../support/report/progress.js';

/**
 * The peers have a package of their own, so that installing Waymark never installs them. It has its own folder, because
 * modules beside its package.json could not import 'waymark'.
 */
const PACKAGE = path.join(PACKAGE_ROOT, 'bench', 'peers', 'packages');

const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
});

/** Installs the peers unless they are installed. Peers with native code are optional dependencies. */
export function installPeers(): void {
  if (existsSync(path.join(PACKAGE, 'node_modules'))) return;
  log('Installing the peers into bench/peers/packages …');
  const args = ['install', '--no-save', '--no-package-lock', '--prefix', PACKAGE];
  // npm writes to stderr: stdout is for the result.
  const options: SpawnSyncOptions = { cwd: PACKAGE, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' };
  const { status, error } = spawnSync('npm', args, options);
  if (status !== 0) throw new UsageError(`npm could not install the peers: ${error?.message ?? `code ${status}`}.`);
}

/** Imports a module of the peers as the type that the caller declares. Throws `UsageError` if it is not installed. */
export async function importPeer<Module>(name: string): Promise<Module> {
  const require = createRequire(path.join(PACKAGE, 'package.json'));
  try {
    return await import(pathToFileURL(require.resolve(name)).href);
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new UsageError(`${name} cannot be imported: ${reason}`);
  }
}

/** Versions of the peers. */
export function peerVersions(): Readonly<Record<string, string>> {
  const text = readFileSync(path.join(PACKAGE, 'package.json'), 'utf8');
  const { dependencies, optionalDependencies } = manifestSchema.parse(JSON.parse(text));
  return { ...dependencies, ...optionalDependencies };
}
