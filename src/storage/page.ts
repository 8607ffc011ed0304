/** Which page of a list to return, and in which order. */
export interface PageRequest {
  readonly size: number;
  readonly direction: 'asc' | 'desc';
  /** The cursor that the previous page returned. */
  readonly nextToken?: string | undefined;
}

/** A page of a list; without `nextToken` it is the last one. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextToken?: string;
}
