/** A message to the process: one text. */
export interface Job {
  readonly id: number;
  readonly kind: 'passage' | 'query' | 'count';
  readonly text: string;
}

/** A message from the process: the outcome of the job with that id. */
export type Outcome =
  | { readonly id: number; readonly embedding: Float32Array }
  | { readonly id: number; readonly tokens: number }
  /** A passage over the model's limit; the value is its length in tokens. */
  | { readonly id: number; readonly tooLong: number }
  | { readonly id: number; readonly error: unknown };

/** The first message from the process. If the model cannot be loaded, the process exits after it. */
export type Start = { readonly loaded: true } | { readonly unloadable: unknown };
