/** Colours that most forms of colour blindness keep apart: Okabe & Ito 2008, "Color Universal Design"; and a grey. */
export const COLOURS = {
  blue: '#0072b2',
  green: '#009e73',
  vermilion: '#d55e00',
  purple: '#cc79a7',
  orange: '#e69f00',
  sky: '#56b4e9',
  black: '#1f2328',
  grey: '#6e7781',
} as const;

const SERIES = Object.values(COLOURS);

/** The colour of the n-th series, from 0; colours repeat after the last. */
export function seriesColour(n: number): string {
  return SERIES[n % SERIES.length] ?? COLOURS.grey;
}

/** The colour of a search mode, the same in all charts. */
export function modeColour(mode: string): string {
  return { hybrid: COLOURS.green, dense: COLOURS.blue, lexical: COLOURS.orange }[mode] ?? COLOURS.purple;
}
