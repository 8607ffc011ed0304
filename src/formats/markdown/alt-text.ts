const ALT = /^<img\s(?:[^>]*\s)?alt\s*=\s*(?:"([^"]*)"|'([^']*)')/i;

/** The text that stands for the image of a tag of HTML, and where it ends in the tag; undefined if there is none. */
export function altOf(tag: string): { readonly text: string; readonly end: number } | undefined {
  const [match, double, single] = ALT.exec(tag) ?? [];
  return match === undefined ? undefined : { text: double ?? single ?? '', end: match.length - 1 };
}
