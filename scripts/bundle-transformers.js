// The last step of the build: puts the part of @xenova/transformers that Waymark uses, its tokenizers, into
// dist/embed/transformers-js.js. As a dependency the package would bring sharp 0.32, which downloads a binary while it
// installs, and onnxruntime-web, 67 MB that are never loaded; a package cannot override what its dependencies bring.
// Nor may the runtime be loaded by the threads that count tokens: ending such a thread corrupts the heap.
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = path.join(root, 'dist', 'embed', 'transformers-js.js');

/** The tokenizers import the runtimes for tensors, which are never made: texts are encoded to plain arrays. */
const withoutRuntimes = {
  name: 'without-runtimes',
  setup(bundle) {
    bundle.onResolve({ filter: /^onnxruntime-(node|web)$/ }, () => ({ path: 'runtime', namespace: 'none' }));
    bundle.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export const env = { wasm: {} };' }));
  },
};

await build({
  stdin: {
    contents: `export { AutoTokenizer, PreTrainedTokenizer } from '@xenova/transformers/src/tokenizers.js';`,
    resolveDir: root,
  },
  outfile: target,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  legalComments: 'inline',
  logLevel: 'warning',
  plugins: [withoutRuntimes],
});
const modules = path.join(root, 'node_modules');
copyFileSync(
  path.join(modules, '@xenova', 'transformers', 'LICENSE'),
  path.join(root, 'dist', 'embed', 'transformers-js.LICENSE'),
);
