import type { SearchFilesRequest } from '../contract/search-files.js';

/** Whatever answers searchFiles: an engine in process, a client over HTTP. */
export interface FileSearch {
  searchFiles(request: SearchFilesRequest): Promise<{ readonly passages: readonly SearchedPassage[] }>;
}

/** What an event takes from a found passage. */
export interface SearchedPassage {
  readonly content: string;
  readonly score: number;
  readonly meta: { readonly position?: number | undefined };
  readonly file: {
    readonly id: string;
    readonly key: string;
    readonly metadata: Readonly<Record<string, unknown>>;
  };
  readonly context?: readonly { readonly text: string; readonly type?: string | undefined }[] | undefined;
}
