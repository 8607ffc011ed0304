import type { Nodes } from 'mdast';
import type { Edits } from '../edits.js';
import { hideExceptShown } from '../tags.js';

/** A mark that ends on its line: `:::image source="a.png" alt-text="A":::`, `:::row:::`, `:::no-loc text="A":::`. */
const EXTENSION = /^:::[a-z][a-z-]*(?:[ \t]+[\w-]+="[^"\r\n]*")*[ \t]*:::/;
const BEGINS_WITH_EXTENSION = new RegExp(`^[ \\t>]*${EXTENSION.source.slice(1)}`);
/** A name that is not translated. */
const NAME = /^(:::no-loc[ \t]+text=")([^"]*)"[ \t]*:::$/;
const LONGEST = 2_000;

/** `[!INCLUDE [name](a.md)]`, `[!VIDEO address]`, `[!div class="checklist"]`, `[!code-csharp[Main](a.cs)]`. */
const REPLACED =
  /^\[!(?:include|video|div|code(?:-[\w-]+)?)(?=[ \t[])(?:[^[\]\r\n]|\[[^[\]\r\n]*\](?:\([^()\r\n]*\))?)*\]/i;

/**
 * Hides a mark of three colons at an offset, except for what a reader sees of it. Returns the offset after it, or 0.
 */
export function hideExtension({ source, edits }: { source: string; edits: Edits }, at: number): number {
  if (!source.startsWith(':::', at)) return 0;
  const [mark] = EXTENSION.exec(source.slice(at, at + LONGEST)) ?? [];
  if (mark === undefined) return 0;
  const end = at + mark.length;
  const [whole, open = '', text = ''] = NAME.exec(mark) ?? [];
  if (whole === undefined) {
    hideExceptShown(edits, { start: at, end, source });
  } else {
    edits.hide(at, at + open.length);
    edits.hide(at + open.length + text.length, end);
  }
  return end;
}

/** Whether a line begins with a mark of three colons that ends on the line, and so opens no container. */
export function beginsWithExtension(line: string): boolean {
  return BEGINS_WITH_EXTENSION.test(line);
}

/** The length of the mark at the beginning of a text that DocFX replaces by something else; 0 if there is none. */
export function replacedLength(text: string): number {
  return REPLACED.exec(text)?.[0].length ?? 0;
}

/** Whether a heading is the label of a tab: `# [Windows](#tab/windows)`. Its level has no meaning. */
export function isTab(node: Nodes): boolean {
  if (node.type !== 'heading') return false;
  const [label, ...others] = node.children;
  return label?.type === 'link' && label.url.startsWith('#tab/') && others.length === 0;
}
