/** How the passages of a folder are drawn. After the last colour, the first one is used again with another shape. */
export interface Marker {
  /** The name of the colour in the style sheet. */
  readonly colour: string;
  /** An outline around 0, 0 that is 2 wide and high. */
  readonly outline: string;
}

/** Colours in the style sheet. */
const COLOURS = 7;

const SHAPES = [
  'M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z',
  'M-.9 -.9H.9V.9H-.9Z',
  'M0 -1.1L1.1 .9H-1.1Z',
  'M0 -1.2L1.2 0L0 1.2L-1.2 0Z',
] as const;

/** The marker of a folder by its number. Of more than 28 folders, some have the same. */
export function markerOf(folder: number): Marker {
  const outline = SHAPES[Math.floor(folder / COLOURS) % SHAPES.length] ?? SHAPES[0];
  return { colour: `--colour-${folder % COLOURS}`, outline };
}
