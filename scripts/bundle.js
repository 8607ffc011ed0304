// The last step of the build: puts the code of packages into dist that users do not install, because
// - @xenova/transformers would bring sharp 0.32, which downloads a binary while it installs, and onnxruntime-web, 67 MB
//   that are never loaded; a package cannot override what its dependencies bring. Nor need processes that only
//   count tokens load the runtime;
// - the SDK of the Model Context Protocol would bring 90 packages, most of them for a web server that is not started;
// - the parsers consist of 200 modules, which each parse process loads: four times as long as a few files;
// - umap-js is needed by one command, and would bring seven packages;
// - zod consists of 95 modules, which every process of the library and the command line loads. It stays a dependency:
//   the types of the package refer to it.
// It also makes the script of a map and each style sheet one file, and copies the icon of the pages.
// dist/bundled.json lists the packages with their licences.
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(root, 'dist');
const formats = path.join(dist, 'formats');

/** For CommonJS packages. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  legalComments: 'inline',
  logLevel: 'warning',
  metafile: true,
};

/** The tokenizers import the runtimes for tensors, which are never made: texts are encoded to plain arrays. */
const withoutRuntimes = {
  name: 'without-runtimes',
  setup(bundle) {
    bundle.onResolve({ filter: /^onnxruntime-(node|web)$/ }, () => ({ path: 'runtime', namespace: 'none' }));
    bundle.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export const env = { wasm: {} };' }));
  },
};

/** The server checks answers of users to its questions with ajv, which fastify installs as well; it asks none. */
const withoutAjv = {
  name: 'without-ajv',
  setup(bundle) {
    bundle.onResolve({ filter: /\/ajv-provider\.js$/ }, () => ({ path: 'ajv', namespace: 'none' }));
    bundle.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export class AjvJsonSchemaValidator {}' }));
  },
};

/** Modules of our own stay files: what imports them gets the same instance. */
const ownApart = {
  name: 'own-apart',
  setup(bundle) {
    bundle.onResolve({ filter: /^\./ }, ({ importer, path: file }) =>
      importer.startsWith(formats) && !file.includes('/node_modules/') ? { external: true } : null,
    );
  },
};

const tokenizers = await build({
  ...common,
  stdin: {
    contents: `export { AutoTokenizer, PreTrainedTokenizer } from '@xenova/transformers/src/tokenizers.js';`,
    resolveDir: root,
  },
  outfile: path.join(dist, 'embed', 'transformers-js.js'),
  plugins: [withoutRuntimes],
});

// A build before may have left others.
rmSync(path.join(formats, 'packages'), { recursive: true, force: true });
const parsers = await build({
  ...common,
  entryPoints: modulesIn(formats).filter(importsPackage),
  outdir: formats,
  outbase: formats,
  allowOverwrite: true,
  splitting: true,
  chunkNames: 'packages/[hash]',
  sourcemap: true,
  // The main file of jsonc-parser loads others at run time.
  mainFields: ['module', 'main'],
  // Users install these if they have such files.
  external: ['mammoth', 'pdfjs-dist'],
  plugins: [ownApart],
  banner: { js: REQUIRE },
});

const zod = path.join(dist, 'domain', 'zod.js');
const schemas = await build({
  ...common,
  entryPoints: [zod],
  outfile: zod,
  allowOverwrite: true,
});

const mcp = path.join(dist, 'cli', 'actions', 'mcp', 'sdk.js');
const agents = await build({
  ...common,
  entryPoints: [mcp],
  outfile: mcp,
  allowOverwrite: true,
  plugins: [withoutAjv],
  banner: { js: REQUIRE },
});

const map = path.join(dist, 'cli', 'actions', 'map');
const layout = await build({
  ...common,
  entryPoints: [path.join(map, 'umap.js')],
  outfile: path.join(map, 'umap.js'),
  allowOverwrite: true,
  banner: { js: REQUIRE },
});
// One classic script: the map is one file, in which modules cannot import each other.
await build({
  ...common,
  entryPoints: [path.join(map, 'browser', 'map.js')],
  outfile: path.join(map, 'browser', 'map.js'),
  allowOverwrite: true,
  platform: 'browser',
  format: 'iife',
  target: 'es2022',
});

const bundled = {
  'dist/domain': packagesOf(schemas.metafile),
  'dist/embed': packagesOf(tokenizers.metafile),
  'dist/formats': packagesOf(parsers.metafile),
  'dist/cli': [...packagesOf(agents.metafile), ...packagesOf(layout.metafile)],
};
writeFileSync(path.join(dist, 'bundled.json'), `${JSON.stringify(bundled, undefined, 2)}\n`);

// Each style sheet gets the rules that it imports.
await build({
  absWorkingDir: root,
  bundle: true,
  entryPoints: ['src/http/page/browser/search.css', 'src/cli/actions/map/browser/map.css'],
  outbase: 'src',
  outdir: dist,
  logLevel: 'warning',
});
const icon = path.join('http', 'page', 'browser', 'icon.svg');
copyFileSync(path.join(root, 'src', icon), path.join(dist, icon));

function modulesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.js'))
    .map((file) => path.join(folder, file));
}

function importsPackage(file) {
  return / from '(?:(?!node:)\w|[./]+node_modules\/)/.test(readFileSync(file, 'utf8'));
}

/** The packages that an output has code of. */
function packagesOf({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const files = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file);
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(folders)].filter(Boolean).sort().map(describe);
}

function describe(folder) {
  const {
    name,
    version,
    licenses,
    license = licenses?.[0]?.type,
  } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
  const file = readdirSync(path.join(root, folder)).find((each) => /^licen[cs]e/i.test(each));
  const text = file && readFileSync(path.join(root, folder, file), 'utf8');
  return { name, version, license, text };
}
