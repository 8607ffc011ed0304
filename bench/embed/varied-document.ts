/**
 * A copy of a markdown text that no other copy shares a passage with: its title ends with the copy's number, and each
 * paragraph begins with a number of its own. The same text is embedded once, so plain copies would measure nothing.
 */
export function variedDocument(text: string, { copy }: { readonly copy: number }): string {
  const lines = text.split('\n');
  const body = lines[0] === '---' ? lines.indexOf('---', 1) + 1 : 0;
  let [paragraphs, fenced, blank] = [0, false, true];
  return lines
    .map((line, at) => {
      if (at < body) return line;
      const follows = !blank;
      blank = line.trim() === '';
      if (FENCE.test(line)) fenced = !fenced;
      if (fenced) return line;
      if (TITLE.test(line)) return `${line.trimEnd()} ${copy}`;
      if (follows || !PARAGRAPH.test(line)) return line;
      paragraphs += 1;
      return `${copy}.${paragraphs} ${line}`;
    })
    .join('\n');
}

const FENCE = /^ {0,3}(```|~~~)/;
const TITLE = /^# \S/;
const PARAGRAPH = /^\p{L}/u;
