import path from 'node:path';
import { PACKAGE_ROOT } from '../package-root.js';

/** The bundled model, in Transformers.js layout. */
export const MODEL_FOLDER = path.join(PACKAGE_ROOT, 'models', 'bge-small-en-v1.5');
