/** A range of lines, from 1; without `to`, up to the last one. */
export interface Lines {
  readonly from: number;
  readonly to?: number;
}

/** What a text can mean as a place: all of a file, or lines of one. The name of a file may end like lines. */
export function placesOf(place: string): { readonly path: string; readonly lines: Lines }[] {
  const whole = { path: place, lines: { from: 1 } };
  // A column may follow, as in what compilers and `--format vimgrep` print.
  const [, path, from, dash, to] = /^(.*?):(\d+)(?:(-)(\d+)?|:\d+)?$/su.exec(place) ?? [];
  if (path === undefined) return [whole];
  const first = Number(from);
  if (dash && to === undefined) return [whole, { path, lines: { from: first } }];
  return [whole, { path, lines: { from: first, to: Number(to ?? from) } }];
}

/** The lines of a text, with their line breaks. */
export function linesIn(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
}
