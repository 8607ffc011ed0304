/** A point of the map, from 0 to 1 to the right and downwards, or of the canvas, in CSS pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}
