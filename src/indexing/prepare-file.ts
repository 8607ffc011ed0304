import type { Metadata, Tags } from '../domain/passage.js';
import type { Cutting } from '../formats/markdown/gather.js';
import type { FileToPut, StoredFile } from '../storage/passage-store.js';
import type { ParsePool } from './parsing/parse-pool.js';
import type { CutFile } from './parsing/parse-worker.js';
import type { ReadFile } from './read-file.js';

/** What the caller says of a file beside its text; it goes before the file's own front matter. */
export interface Given {
  readonly tags: Tags;
  readonly metadata: Metadata;
}

/** Where a file comes from and what its passages depend on. */
export interface Origin extends Given, Pick<StoredFile, 'key' | 'folder' | 'mtime' | 'indexedAt' | 'pipeline'> {
  readonly contentType: string;
}

/** Raised when passages are cut or embedded texts are made in another way: files are then parsed again. */
const VERSION = 3;

/** Everything but its bytes that a file's passages, tags and metadata depend on. */
export function pipelineOf(
  given: Given & { readonly cutting: Cutting; readonly contentType?: string | undefined },
): string {
  const { budget, embedBreadcrumb } = given.cutting;
  return JSON.stringify([VERSION, budget, embedBreadcrumb, given.contentType ?? null, given.tags, given.metadata]);
}

/** What a pipeline says; undefined for passages of a caller, and for what is no pipeline. */
export function readPipeline(
  pipeline: string,
):
  | (Given & { readonly isCurrent: boolean; readonly cutting: Cutting; readonly contentType: string | null })
  | undefined {
  try {
    const [version, budget, embedBreadcrumb, contentType, tags, metadata] = JSON.parse(pipeline);
    return { isCurrent: version === VERSION, cutting: { budget, embedBreadcrumb }, contentType, tags, metadata };
  } catch {
    return undefined;
  }
}

/** A pipeline with another cut, and the content type that was given; one of another version of Waymark stays: its file is parsed again. */
export function recut(pipeline: string, cutting: Cutting): { pipeline: string; contentType?: string } {
  const read = readPipeline(pipeline);
  const given = typeof read?.contentType === 'string' && { contentType: read.contentType };
  if (!read?.isCurrent) return { pipeline, ...given };
  return { pipeline: pipelineOf({ ...read, contentType: read.contentType ?? undefined, cutting }), ...given };
}

export function contentTypeOf(key: string): string {
  return /\.mdx$/i.test(key) ? 'text/mdx' : /\.txt$/i.test(key) ? 'text/plain' : 'text/markdown';
}

/** Cuts a file into passages. */
export async function prepareFile(read: ReadFile, origin: Origin, parser: ParsePool): Promise<FileToPut> {
  const parsed = await cutText(read.text, { contentType: origin.contentType, parser });
  return {
    ...read,
    key: origin.key,
    folder: origin.folder,
    mtime: origin.mtime,
    indexedAt: origin.indexedAt,
    pipeline: origin.pipeline,
    contentType: origin.contentType,
    title: parsed.title,
    metadata: { ...parsed.metadata, ...origin.metadata },
    tags: { ...parsed.tags, ...origin.tags },
    warnings: parsed.warnings,
    passages: parsed.passages,
  };
}

/** Cuts a text as its content type asks for. */
export async function cutText(
  text: string,
  { contentType, parser }: { contentType: string; parser: ParsePool },
): Promise<CutFile> {
  if (contentType !== 'text/plain') return parser.parse(text);
  // Plain text is cut at lines because it is such: that is nothing to warn of.
  return { ...(await parser.cutLines(text, '')), warnings: [] };
}

/** Whether a stored file was made from the same bytes in the same way. */
export function isCurrent(
  stored: StoredFile | undefined,
  { hash, pipeline }: { hash: string; pipeline: string },
): boolean {
  return stored?.hash === hash && stored.pipeline === pipeline;
}
