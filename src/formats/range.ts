/** A part of a text: UTF-16 offsets, of which `end` is the first after it. */
export interface Range {
  readonly start: number;
  readonly end: number;
}
