import type { SearchFilesRequest } from '../contract/operations/search.js';
import type { Abortable } from '../domain/abortable.js';

/** An object with a `searchFiles` method, such as an engine in process or a client over HTTP. */
export interface FileSearch {
  /** Searches the files of a bot. */
  searchFiles(
    request: SearchFilesRequest,
    options?: Abortable,
  ): Promise<{ readonly passages: readonly SearchedPassage[] }>;
}

/** The fields of a found passage that an event uses. */
export interface SearchedPassage {
  /** Text of the passage with its neighbours. */
  readonly content: string;
  /** Relevance from 0 to 1; higher is better. */
  readonly score: number;
  /** `position` is the passage's ordinal in its file, from 0. */
  readonly meta: { readonly position?: number | undefined };
  /** The file that contains the passage. */
  readonly file: {
    readonly id: string;
    readonly key: string;
    readonly metadata: Readonly<Record<string, unknown>>;
  };
  /** The breadcrumb, as an item of type `breadcrumb`, and the neighbours. */
  readonly context?: readonly { readonly text: string; readonly type?: string | undefined }[] | undefined;
}
