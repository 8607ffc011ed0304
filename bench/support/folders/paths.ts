import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The folder of the Waymark that is measured: this repository. */
export const PACKAGE_ROOT = path.dirname(createRequire(import.meta.url).resolve('waymark/package.json'));

/** Markdown of an invented product, with questions in queries.jsonl. */
export const CORPUS = path.join(PACKAGE_ROOT, 'corpus');

/** The bundled model, in Transformers.js layout. */
export const MODEL_FOLDER = path.join(PACKAGE_ROOT, 'models', 'waymark-docs-small-en');

/** Committed results. */
export const RESULTS = path.join(PACKAGE_ROOT, 'bench', 'results');

/** Indexes and embeddings that are kept between runs. */
export const CACHE = path.join(tmpdir(), 'waymark-bench');
