/** Colours that people tell apart who see few: Okabe & Ito 2008, "Color Universal Design"; without the light ones. */
const COLOURS = ['#0072b2', '#009e73', '#d55e00', '#cc79a7', '#e69f00', '#56b4e9', '#1f2328'] as const;

/** The colour of the n-th line. */
export function colourOf(line: number): string {
  return COLOURS[line % COLOURS.length] ?? COLOURS[0];
}
