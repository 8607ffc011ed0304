// Makes a release of the repository in the current folder: npm run release -- 0.2.0
// Everything happens in a clone, which must pass .ci/run. Only then does the repository get the commit and the tag, and
// the package is left beside them: if anything fails, the repository stays as it was. Nothing is published.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const repository = process.cwd();
const [version, ...others] = process.argv.slice(2);

/** Ends the release, with what is wrong and what to do. */
class Refusal extends Error {}

try {
  release();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

function release() {
  if (!/^\d+\.\d+\.\d+$/.test(version ?? '') || others.length > 0) {
    throw new Refusal('Pass the version, and nothing else: npm run release -- 0.2.0');
  }
  const { version: present } = JSON.parse(readFileSync('package.json', 'utf8'));
  if (!isNewer(version, present)) throw new Refusal(`The version must be newer than ${present}; it is ${version}.`);
  if (git('status', '--porcelain') !== '') throw new Refusal('There are uncommitted changes: commit or stash them.');
  const branch = git('branch', '--show-current');
  if (branch !== 'main') throw new Refusal(`Releases are made of main; this is ${branch}: git switch main`);
  const changes = releasedChanges();

  const folder = mkdtempSync(path.join(tmpdir(), 'release-'));
  const clone = path.join(folder, path.basename(repository));
  try {
    git('clone', '--quiet', '--branch', branch, repository, clone);
    writeFileSync(path.join(clone, 'CHANGELOG.md'), changes);
    run('npm', ['version', version, '--no-git-tag-version', '--ignore-scripts'], clone);
    const author = ['user.name', 'user.email'].flatMap((key) => ['-c', `${key}=${git('config', key)}`]);
    git('-C', clone, ...author, 'commit', '--quiet', '--all', '--message', `Release ${version}`);
    run('bash', ['.ci/run'], clone);
    // What has been built: packing would build again.
    const packed = run('npm', ['pack', '--silent', '--ignore-scripts'], clone, 'pipe').trim();
    git('pull', '--quiet', '--ff-only', clone, branch);
    git('tag', '--annotate', `v${version}`, '--message', `Release ${version}`);
    cpSync(path.join(clone, packed), packed);
    console.log(`\nReleased as the tag v${version}; ${packed} has the package. To publish it:`);
    console.log(`  git push --follow-tags && npm publish ${packed}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The changelog with what is unreleased under the version. */
function releasedChanges() {
  const text = readFileSync('CHANGELOG.md', 'utf8');
  const [, before, unreleased] = text.match(/^(.*^## Unreleased\n)(.*?)(?=^## |$(?![\s\S]))/ms) ?? [];
  if (!unreleased?.trim()) throw new Refusal('CHANGELOG.md has nothing under "## Unreleased": say what has changed.');
  const today = new Date().toISOString().slice(0, 10);
  return `${before}\n## ${version} (${today})\n${text.slice(before.length)}`;
}

function isNewer(one, other) {
  const [a, b] = [one, other].map((text) => text.split('.').map(Number));
  const differing = a.findIndex((number, i) => number !== b[i]);
  return differing >= 0 && a[differing] > b[differing];
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8', cwd: repository }).trim();
}

function run(command, args, cwd, stdout = 'inherit') {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', stdout, 'inherit'] });
  } catch (cause) {
    throw new Refusal(`${command} ${args[0]} failed; the repository is as it was.`, { cause });
  }
}
