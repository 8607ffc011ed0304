import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ModelSource } from 'waymark';
import type { Collection, Corpus, Document, DocumentCollection } from '../collections/collection.js';
import { keyOf, markdownOf } from '../collections/markdown-document.js';
import { PACKAGE_ROOT } from '../package-root.js';

/** Where indexes are kept between runs. */
export const CACHE = path.join(tmpdir(), 'waymark-bench');

/**
 * The folder of a collection's indexes. Its name tells apart what indexing again would not put right: another model or
 * schema, other documents. Folders of markdown are told apart by their place alone: what changes in them is indexed, and
 * the rest is not embedded again.
 */
export function cacheFolderOf(
  collection: Collection,
  { model, root }: { readonly model: ModelSource | undefined; readonly root: string },
): string {
  const schema = codeHash('store/migrations.js');
  const content = collection.format === 'spans' ? collection.corpora : collection.documents.map(fileOf);
  const hash = createHash('sha256').update(JSON.stringify([schema, modelName(model), content]));
  return path.join(root, `${collection.name}-${hash.digest('hex').slice(0, 16)}`);
}

function modelName(model: ModelSource | undefined): unknown {
  return typeof model === 'object' && 'embedPassages' in model ? model.card.fingerprint : (model ?? null);
}

/** Hash of built code, a file or those of a folder: who works on it measures what it does, not what an earlier one left. */
export function codeHash(part: 'store/migrations.js' | 'markdown'): string {
  const place = path.join(PACKAGE_ROOT, 'dist', part);
  const files = part.endsWith('.js') ? [place] : readdirSync(place).map((name) => path.join(place, name));
  const hash = createHash('sha256');
  for (const file of files.sort()) if (file.endsWith('.js')) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/** The corpora of a collection as folders of markdown: documents are written into one, unless they lie there already. */
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
