import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { folderOf } from '../support/folder.js';
import { NoGo, serverBinary } from './build.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a server is built once per version of its sources, outside the repository', async () => {
  const first = await serverBinary();
  const { ino } = statSync(first);
  const second = await serverBinary();
  expect(second).toBe(first);
  expect(statSync(second).ino).toBe(ino);
  expect(path.relative(process.cwd(), first)).toMatch(/^\.\./);
});

test('concurrent builds into an empty cache leave one complete server and nothing else', async () => {
  // Go's own cache would move, too, unless it is set; with that cache only linking is repeated.
  vi.stubEnv('GOCACHE', execFileSync('go', ['env', 'GOCACHE'], { encoding: 'utf8' }).trim());
  vi.stubEnv('XDG_CACHE_HOME', folderOf());
  const [first, second] = await Promise.all([serverBinary(), serverBinary()]);
  expect(second).toBe(first);
  expect(readdirSync(path.dirname(first))).toEqual(['weaviate']);
  expect(statSync(first).size).toBeGreaterThan(50_000_000);
});

test('a machine without Go says so', async () => {
  vi.stubEnv('PATH', folderOf());
  const building = serverBinary();
  await expect(building).rejects.toThrow(NoGo);
  await expect(building).rejects.toThrow('there is no `go` in PATH. Install it from go.dev.');
});
