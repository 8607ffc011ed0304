import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, test } from 'vitest';
import { folderOf } from '../support/folder.js';

const SCRIPT = fileURLToPath(new URL('../../scripts/release.js', import.meta.url));

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n**Search.** Faster.\n\n## 0.1.0\n\nThe first.\n';

/** A repository with version 0.1.0, whose checks are a script. */
function repositoryOf({ checks = 'true', changelog = CHANGELOG } = {}): string {
  const manifest = { name: 'kettle', version: '0.1.0', license: 'MIT', files: ['CHANGELOG.md'] };
  const repository = folderOf({
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify({ ...manifest, lockfileVersion: 3, packages: { '': manifest } }),
    'CHANGELOG.md': changelog,
    '.ci/run': checks,
    '.gitignore': '*.tgz\n',
  });
  git(repository, 'init', '--quiet', '--initial-branch', 'main');
  git(repository, 'config', 'user.name', 'Tester');
  git(repository, 'config', 'user.email', 'tester@example.com');
  git(repository, 'add', '.');
  git(repository, 'commit', '--quiet', '--message', 'Begin');
  return repository;
}

function git(repository: string, ...args: string[]): string {
  return execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' }).trim();
}

function release(repository: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync('node', [SCRIPT, ...args], { cwd: repository, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** What a release changes. */
const stateOf = (repository: string) => [
  git(repository, 'rev-parse', 'HEAD'),
  git(repository, 'tag'),
  git(repository, 'status', '--porcelain'),
];

test('a release is a commit, a tag and a package, with the version and what has changed', () => {
  const repository = repositoryOf({ checks: 'grep -q 0.2.0 package.json' });
  const { status, stdout } = release(repository, '0.2.0');
  expect(stdout).toContain('git push --follow-tags && npm publish kettle-0.2.0.tgz');
  expect(status).toBe(0);
  expect(git(repository, 'log', '--format=%s')).toBe('Release 0.2.0\nBegin');
  expect(git(repository, 'tag', '--points-at', 'HEAD')).toBe('v0.2.0');
  expect(git(repository, 'status', '--porcelain')).toBe('');
  expect(readFileSync(path.join(repository, 'CHANGELOG.md'), 'utf8')).toMatch(
    /^# Changelog\n\n## Unreleased\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n\*\*Search\.\*\* Faster\.\n\n## 0\.1\.0\n\nThe first\.\n$/,
  );
  for (const file of ['package.json', 'package-lock.json']) {
    expect(JSON.parse(readFileSync(path.join(repository, file), 'utf8')).version).toBe('0.2.0');
  }
  expect(existsSync(path.join(repository, 'kettle-0.2.0.tgz'))).toBe(true);
});

test('a release whose checks fail leaves the repository as it was', () => {
  const repository = repositoryOf({ checks: 'exit 1' });
  const before = stateOf(repository);
  const stderr = 'bash .ci/run failed; the repository is as it was.\n';
  expect(release(repository, '0.2.0')).toMatchObject({ status: 2, stderr });
  expect(stateOf(repository)).toEqual(before);
  expect(existsSync(path.join(repository, 'kettle-0.2.0.tgz'))).toBe(false);
});

it.each<[string, string[], (repository: string) => void, string]>([
  ['no version', [], () => {}, 'Pass the version, and nothing else: npm run release -- 0.2.0\n'],
  ['a tag', ['v0.2.0'], () => {}, 'Pass the version, and nothing else: npm run release -- 0.2.0\n'],
  ['the present version', ['0.1.0'], () => {}, 'The version must be newer than 0.1.0; it is 0.1.0.\n'],
  [
    'an uncommitted change',
    ['0.2.0'],
    (repository) => rmSync(path.join(repository, '.ci/run')),
    'There are uncommitted changes: commit or stash them.\n',
  ],
  [
    'another branch',
    ['0.2.0'],
    (repository) => git(repository, 'switch', '--quiet', '--create', 'next'),
    'Releases are made of main; this is next: git switch main\n',
  ],
  [
    'nothing unreleased',
    ['0.2.0'],
    (repository) => {
      writeFileSync(path.join(repository, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n## 0.1.0\n');
      git(repository, 'commit', '--quiet', '--all', '--message', 'Empty');
    },
    'CHANGELOG.md has nothing under "## Unreleased": say what has changed.\n',
  ],
])('a release is refused with what to do: %s', (_name, args, prepare, stderr) => {
  const repository = repositoryOf();
  prepare(repository);
  expect(release(repository, ...args)).toEqual({ status: 2, stdout: '', stderr });
});
