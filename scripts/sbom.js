// Writes a CycloneDX list of what the package installs and contains to sbom.json, or to the file given; build first.
// `npm sbom --omit dev` omits packages that a development tool needs too (such as onnxruntime-node and qs), so this
// filters the full list by the `dev` marks of the lock file.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Folders of dist, by the packages whose code the build has put there: see bundle.js. */
const bundledIn = new Map();
for (const [folder, bundled] of Object.entries(readJson('dist/bundled.json'))) {
  for (const { name, version } of bundled) bundledIn.set(`${name}@${version}`, folder);
}
const { packages } = readJson('package-lock.json');
const shipped = new Set();
for (const [place, { name = place.replace(/^.*node_modules\//, ''), version, dev = false }] of Object.entries(
  packages,
)) {
  const reference = `${name}@${version}`;
  if (!dev || bundledIn.has(reference)) shipped.add(reference);
}

const bom = JSON.parse(npm('sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'));
const isShipped = (reference) => shipped.has(reference);
const components = bom.components
  .filter((component) => isShipped(component['bom-ref']))
  .map((component) => {
    const folder = bundledIn.get(component['bom-ref']);
    if (folder === undefined) return component;
    const property = { name: 'waymark:bundled-in', value: folder };
    return { ...component, scope: 'required', properties: [...component.properties, property] };
  });
const dependencies = bom.dependencies
  .filter(({ ref }) => isShipped(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isShipped) }));
// Without an installation npm names the package after its folder.
const { name } = packages[''];
const metadata = { ...bom.metadata, component: { ...bom.metadata.component, name } };
const target = process.argv[2] ?? path.join(root, 'sbom.json');
writeFileSync(target, `${JSON.stringify({ ...bom, metadata, components, dependencies }, undefined, 2)}\n`);

function readJson(file) {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
}

function npm(...parameters) {
  const program = process.env.npm_execpath;
  const [file, first] = program === undefined ? ['npm', []] : [process.execPath, [program]];
  return execFileSync(file, [...first, ...parameters], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}
