import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ModelSource } from 'waymark';
import type { Collection, Corpus, Document, DocumentCollection } from '../collections/collection.js';
import { keyOf, markdownOf } from '../collections/markdown-document.js';
import { MODEL_FOLDER } from '../folders/paths.js';
import { codeHash, filesHash } from './code-hash.js';

/**
 * The folder of a collection's indexes. Its name depends on what indexing again would not correct: the model, the
 * schema and the documents. Folders of markdown are identified by their path alone, because indexing finds what
 * changed.
 */
export function cacheFolderOf(
  collection: Collection,
  { model, root }: { readonly model: ModelSource | undefined; readonly root: string },
): string {
  const content = collection.format === 'spans' ? collection.corpora : collection.documents.map(fileOf);
  const key = JSON.stringify([codeHash('schema'), modelKey(model), content]);
  const hash = createHash('sha256').update(key).digest('hex');
  return path.join(root, `${collection.name}-${hash.slice(0, 16)}`);
}

/** What changes with the weights. A model on the hub is identified by its id alone. */
function modelKey(model: ModelSource = MODEL_FOLDER): unknown {
  if (typeof model === 'object') return 'embedPassages' in model ? model.card.fingerprint : model;
  return existsSync(model) ? filesHash(model, /\.(json|onnx)$/) : model;
}

/** The corpora of a collection as folders of markdown; documents are written to the cache once. */
export function corporaIn(cache: string, collection: Collection): readonly Corpus[] {
  if (collection.format === 'spans') return collection.corpora;
  return [{ name: collection.name, folder: writeDocuments(cache, collection) }];
}

function writeDocuments(cache: string, { documents }: DocumentCollection): string {
  const folder = path.join(cache, 'documents');
  const complete = path.join(cache, 'documents-complete');
  if (existsSync(complete)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [key, text] of documents.map(fileOf)) writeFileSync(path.join(folder, key), text);
  writeFileSync(complete, '');
  return folder;
}

function fileOf(document: Document): [key: string, text: string] {
  return [keyOf(document), markdownOf(document)];
}
