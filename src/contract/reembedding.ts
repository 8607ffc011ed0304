/** Progress of an unfinished re-embedding. */
export interface UnfinishedReembedding {
  /** The model's name. */
  readonly model: string;
  /** Files that are cut for it. */
  readonly files: number;
  /** Passages of those files. */
  readonly passages: number;
  /** Passages of those files whose embedding is stored. */
  readonly embedded: number;
}
