// Writes a CycloneDX list of what the package installs to sbom.json, or to the file given. `npm sbom --omit dev` omits
// packages that a development tool needs too (such as onnxruntime-node and qs), so this filters the full list by the
// `dev` marks of the lock file.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Not installed but bundled into dist/embed/transformers-js.js: see bundle-transformers.js. */
const BUNDLED = ['@xenova/transformers', '@huggingface/jinja'];

const root = fileURLToPath(new URL('..', import.meta.url));
const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
const shipped = new Set();
for (const [place, { name = place.replace(/^.*node_modules\//, ''), version, dev = false }] of Object.entries(
  packages,
)) {
  if (!dev || BUNDLED.includes(name)) shipped.add(`${name}@${version}`);
}

const bom = JSON.parse(npm('sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'));
const isShipped = (reference) => shipped.has(reference);
const components = bom.components
  .filter((component) => isShipped(component['bom-ref']))
  .map((component) => {
    const full = component.group === undefined ? component.name : `${component.group}/${component.name}`;
    if (!BUNDLED.includes(full)) return component;
    const property = { name: 'waymark:bundled-in', value: 'dist/embed/transformers-js.js' };
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

function npm(...parameters) {
  const program = process.env.npm_execpath;
  const [file, first] = program === undefined ? ['npm', []] : [process.execPath, [program]];
  return execFileSync(file, [...first, ...parameters], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}
