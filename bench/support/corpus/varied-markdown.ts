const FENCE = /^ {0,3}(```|~~~)/;
const TITLE = /^# \S/;
const PARAGRAPH = /^\p{L}/u;

/**
 * A copy of a markdown text that shares no passage with any other copy: its title ends with the number of the copy, and
 * each paragraph begins with a number of its own. Identical text is embedded only once, so identical copies would
 * measure nothing.
 */
export function variedMarkdown(text: string, { copy }: { readonly copy: number }): string {
  const lines = text.split('\n');
  const body = lines[0] === '---' ? lines.indexOf('---', 1) + 1 : 0;
  let [paragraphs, fenced, blank] = [0, false, true];
  return lines
    .map((line, at) => {
      if (at < body) return line;
      const continues = !blank;
      blank = line.trim() === '';
      if (FENCE.test(line)) fenced = !fenced;
      if (fenced) return line;
      if (TITLE.test(line)) return `${line.trimEnd()} ${copy}`;
      if (continues || !PARAGRAPH.test(line)) return line;
      paragraphs += 1;
      return `${copy}.${paragraphs} ${line}`;
    })
    .join('\n');
}
