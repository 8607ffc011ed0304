/** What is there of a re-embedding that has not come to its end. */
export interface UnfinishedReembedding {
  /** The model's name. */
  readonly model: string;
  /** Files that are cut for it. */
  readonly files: number;
  /** Passages of those files. */
  readonly passages: number;
  /** Passages of those files whose embedding is there. */
  readonly embedded: number;
}
