import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { PACKAGE_ROOT } from '../folders/paths.js';

/** When, where and of what a result was measured. */
export interface Origin {
  /** ISO 8601. */
  readonly date: string;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryGiB: number;
    readonly system: string;
    readonly node: string;
  };
  /** Of Waymark and of the packages that decide its results and speed. */
  readonly versions: Readonly<Record<string, string>>;
  /** Commit of Waymark, with `+` if its sources have changed since. Missing outside a repository. */
  readonly commit?: string;
}

const packageSchema = z.object({
  version: z.string(),
  dependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
});

const PACKAGES = ['onnxruntime-node', 'better-sqlite3', 'hnswlib-node', 'remark-parse'];

export function originOf(date: Date): Origin {
  const manifest = packageSchema.parse(JSON.parse(readFileSync(path.join(PACKAGE_ROOT, 'package.json'), 'utf8')));
  const { version, dependencies, optionalDependencies } = manifest;
  const all = { ...dependencies, ...optionalDependencies };
  return {
    date: date.toISOString(),
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      system: `${process.platform} ${process.arch}`,
      node: process.version,
    },
    versions: {
      waymark: version,
      ...Object.fromEntries(PACKAGES.flatMap((name) => (all[name] ? [[name, all[name]]] : []))),
    },
    ...commitOf(PACKAGE_ROOT),
  };
}

function commitOf(root: string): { commit?: string } {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const changed = git('status', '--porcelain', '--', 'src', 'models', 'package.json') !== '';
    return { commit: git('rev-parse', 'HEAD') + (changed ? '+' : '') };
  } catch {
    // No git, or an unpacked package.
    return {};
  }
}
