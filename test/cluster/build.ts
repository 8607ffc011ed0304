import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The Go module of the server. */
const MODULE = fileURLToPath(new URL('server/', import.meta.url));

/** Why this machine cannot build the server. */
export class NoGo extends Error {}

/**
 * The file of a Weaviate server, built unless the cache has it: minutes and a few gigabytes of Go's own caches the
 * first time, nothing later.
 *
 * @throws NoGo where Go is missing or does not run.
 */
export async function serverBinary(): Promise<string> {
  const folder = path.join(cacheFolder(), await keyOf());
  const binary = path.join(folder, 'weaviate');
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  // Concurrent builds each write a file of their own, and the last to end replaces the equal file of the others.
  const unfinished = path.join(folder, `unfinished-${randomUUID()}`);
  process.stderr.write(`Building the Weaviate server for tests in ${folder}: minutes, the first time.\n`);
  try {
    await run('go', ['build', '-ldflags=-s -w', '-o', unfinished, '.'], { cwd: MODULE, maxBuffer: 1 << 26 });
    renameSync(unfinished, binary);
  } catch (cause) {
    const { stderr = '' } = cause as { stderr?: string };
    throw new Error(`The Weaviate server cannot be built: ${stderr.trim() || String(cause)}`, { cause });
  } finally {
    rmSync(unfinished, { force: true });
  }
  return binary;
}

/** Changes with the sources, the version of Go and the platform. */
async function keyOf(): Promise<string> {
  const hash = createHash('sha256').update(await goVersion());
  for (const name of readdirSync(MODULE).sort())
    hash.update(`\0${name}\0`).update(readFileSync(path.join(MODULE, name)));
  return hash.digest('hex').slice(0, 16);
}

/** The version of Go that builds the module, and for what. */
async function goVersion(): Promise<string> {
  try {
    const { stdout } = await run('go', ['env', 'GOVERSION', 'GOOS', 'GOARCH'], { cwd: MODULE });
    return stdout;
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = isMissing ? 'there is no `go` in PATH' : `\`go env\` failed: ${(cause as Error).message.trim()}`;
    throw new NoGo(`The Weaviate server is built with Go 1.26 or later, and ${reason}. Install it from go.dev.`, {
      cause,
    });
  }
}

function cacheFolder(): string {
  const { XDG_CACHE_HOME } = process.env;
  // The specification says that relative paths are ignored.
  const caches = XDG_CACHE_HOME && path.isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : path.join(homedir(), '.cache');
  return path.join(caches, 'waymark', 'cluster-server');
}
