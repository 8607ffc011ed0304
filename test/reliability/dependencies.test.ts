import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { node } from '../support/command.js';
import { folderOf } from '../support/folder.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Locked {
  /** Only of a package that is installed under another name. */
  readonly name?: string;
  readonly version: string;
  readonly dev?: boolean;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
}

/** The packages that installing Waymark brings, by name and version. */
function installed(): Map<string, Locked & { readonly place: string }> {
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'));
  const entries = Object.entries<Locked>(packages).filter(([place, { dev = false }]) => place !== '' && !dev);
  return new Map(
    entries.map(([place, locked]) => {
      const { name, version } = locked;
      return [`${name ?? place.replace(/^.*node_modules[/]/, '')}@${version}`, { ...locked, place }];
    }),
  );
}

/** Packages whose code is in dist, and to which the types of the package refer. */
const IN_BOTH = ['zod'];

/** Names of the packages whose code is in dist: esbuild names the file above its code. */
function bundled(): string[] {
  const dist = path.join(ROOT, 'dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  const names = files.flatMap((file) => {
    const text = readFileSync(path.join(dist, file), 'utf8');
    return [...text.matchAll(/^\/\/ \S*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)/gm)].map(([, name = '']) => name);
  });
  return [...new Set(names)].sort();
}

test('the bill of materials lists exactly the installed and bundled packages, by version and hash', async () => {
  const file = path.join(folderOf(), 'sbom.json');
  expect(await node([path.join(ROOT, 'scripts', 'sbom.js'), file], { cwd: ROOT })).toMatchObject({ code: 0 });
  const bom = JSON.parse(readFileSync(file, 'utf8'));
  expect([bom.bomFormat, bom.specVersion, bom.metadata.component.name]).toEqual(['CycloneDX', '1.5', 'waymark']);
  const references: string[] = bom.components.map((component: Record<string, string>) => component['bom-ref']);
  const known = installed();
  expect(references.filter((each) => known.has(each)).sort()).toEqual([...known.keys()].sort());
  const more = references.filter((each) => !known.has(each)).map((each) => each.replace(/@[^@]*$/, ''));
  expect(more.sort()).toEqual(bundled().filter((name) => !IN_BOTH.includes(name)));
  for (const { purl, hashes } of bom.components) {
    expect(purl).toMatch(/^pkg:npm\/.+@.+/);
    expect(hashes[0]).toMatchObject({ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) });
  }
  for (const { dependsOn } of bom.dependencies) {
    for (const each of dependsOn) expect(references).toContain(each);
  }
});

test('the package contains the licence of each package whose code it contains', () => {
  const lists = JSON.parse(readFileSync(path.join(ROOT, 'dist', 'bundled.json'), 'utf8'));
  const licences: { name: string; license: string; text?: string }[] = Object.values<[]>(lists).flat();
  expect([...new Set(licences.map(({ name }) => name))].sort()).toEqual(bundled());
  expect(licences.filter(({ license }) => !/^(MIT|ISC|BSD-[23]-Clause|Apache-2\.0)$/.test(license))).toEqual([]);
  // Its package has no file with the licence.
  expect(licences.filter(({ text }) => text === undefined).map(({ name }) => name)).toEqual(['format']);
});

test('a user installs no package whose code is in the package, unless types refer to it', () => {
  const names = [...installed().keys()].map((each) => each.replace(/@[^@]*$/, ''));
  expect(bundled().filter((name) => names.includes(name))).toEqual(IN_BOTH);
});

test('installed packages are locked by hash, and only the two native modules run install scripts', () => {
  const packages = [...installed()];
  expect(packages.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))).toEqual([]);
  const running = packages.filter(
    // npm compiles a package with this file even without an install script, unless its manifest says otherwise.
    ([, { hasInstallScript, place }]) => hasInstallScript || existsSync(path.join(ROOT, place, 'binding.gyp')),
  );
  const names = running.map(([reference]) => reference.replace(/@[^@]*$/, ''));
  expect(names.sort()).toEqual(['better-sqlite3', 'hnswlib-node']);
});

test('dependencies have exact versions', () => {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const versions = Object.values<string>({ ...dependencies, ...optionalDependencies });
  expect(versions.filter((version) => !/^(npm:[\w-]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});
