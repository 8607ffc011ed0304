import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { PACKAGE_ROOT } from '../support/folders/paths.js';

/** A Weaviate cluster on this machine that ends with the benchmark. */
export interface OwnCluster {
  /** As `openEngine` takes them. */
  readonly hosts: readonly string[];
  /** What each node has in memory and on disk, in MB. */
  nodes(): readonly NodeSize[];
  stop(): void;
}

export interface NodeSize {
  /** Resident memory. */
  readonly memory: number;
  readonly disk: number;
}

interface Started {
  readonly id: string;
  readonly hosts: readonly { readonly http: string; readonly grpc: number }[];
  readonly memory: readonly number[];
  readonly folder: string;
}

/** Starts three nodes. The server is built with Go the first time, which takes minutes. */
export function startOwnCluster(): OwnCluster {
  const { id, hosts, folder } = JSON.parse(run('start', '--json')) as Started;
  return {
    hosts: hosts.map(({ http, grpc }) => `http://${http}?grpc=${grpc}`),
    nodes() {
      const [{ memory }] = JSON.parse(run('status', id, '--json')) as [Started];
      return memory.map((bytes, i) => ({ memory: bytes / 1e6, disk: diskOf(path.join(folder, `node${i + 1}`)) }));
    },
    stop: () => void run('stop', id),
  };
}

/** Runs `npm run cluster`. */
function run(...args: string[]): string {
  const script = path.join(PACKAGE_ROOT, 'scripts', 'cluster.ts');
  return execFileSync(process.execPath, ['--import', 'tsx', script, ...args], { cwd: PACKAGE_ROOT, encoding: 'utf8' });
}

/** MB that a folder takes on disk. */
function diskOf(folder: string): number {
  return Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]) / 1000;
}
