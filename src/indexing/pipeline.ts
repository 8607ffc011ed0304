import type { Description } from '../domain/description.js';
import type { CuttingOptions } from '../formats/parser.js';
import { titleOfName } from '../formats/title-of-name.js';
import type { StoredFile } from '../storage/passage-store.js';

/** Increase it if passages, embedded texts or terms are made differently: files are then parsed again. */
const VERSION = 23;

/** The last part of the pipeline of a file that met a limit. */
const UNFINISHED = 'unfinished';

/** The pipeline of files whose passages were set by a caller, not cut by a parser. */
export const GIVEN = 'passages of a caller';

/**
 * The settings that a file's passages, tags and metadata depend on besides its bytes, as the store keeps them. `tags`
 * and `metadata` are those that a caller gives, which override those of the file's front matter.
 */
export function pipelineOf(
  settings: Description & {
    readonly key: string;
    readonly cutting: CuttingOptions;
    readonly contentType?: string | undefined;
  },
): string {
  const { key, cutting, contentType = null, tags, metadata } = settings;
  const { budget, embedBreadcrumb } = cutting;
  return JSON.stringify([VERSION, budget, embedBreadcrumb, contentType, tags, metadata, titleOfName(key) ?? null]);
}

/** The settings in a pipeline; undefined for passages that a caller set, and for a string that is not a pipeline. */
export function readPipeline(pipeline: string):
  | (Description & {
      readonly isCurrent: boolean;
      /** Whether the file met a limit and was cut at lines. */
      readonly isUnfinished: boolean;
      readonly cutting: CuttingOptions;
      readonly contentType: string | null;
    })
  | undefined {
  try {
    const [version, budget, embedBreadcrumb, contentType, tags, metadata, , last] = JSON.parse(pipeline);
    const cutting = { budget, embedBreadcrumb };
    const isUnfinished = last === UNFINISHED;
    return { isCurrent: version === VERSION, isUnfinished, cutting, contentType, tags, metadata };
  } catch {
    return undefined;
  }
}

/**
 * The pipeline of a file that met a limit of time or memory and was cut at lines. It is never current: the file is
 * tried again at the next opportunity.
 */
export function unfinished(pipeline: string): string {
  return JSON.stringify([...JSON.parse(pipeline), UNFINISHED]);
}

/**
 * The pipeline of a stored file with other cutting settings, and the content type that the caller gave. A pipeline of
 * another version of Waymark stays as it is, so that its file is parsed again.
 */
export function withCutting(
  { key, pipeline }: Pick<StoredFile, 'key' | 'pipeline'>,
  cutting: CuttingOptions,
): { pipeline: string; contentType?: string } {
  const read = readPipeline(pipeline);
  const given = typeof read?.contentType === 'string' && { contentType: read.contentType };
  if (!read?.isCurrent) return { pipeline, ...given };
  return { pipeline: pipelineOf({ ...read, key, contentType: read.contentType ?? undefined, cutting }), ...given };
}

/** Whether a stored file was made from the same bytes with the same settings. */
export function isCurrent(
  stored: StoredFile | undefined,
  { hash, pipeline }: { hash: string; pipeline: string },
): boolean {
  return stored?.hash === hash && stored.pipeline === pipeline;
}
