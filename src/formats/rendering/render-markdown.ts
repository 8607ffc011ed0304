import type { ElementContent, Nodes as Hast } from 'hast';
import type { Code, Nodes } from 'mdast';
import { defaultHandlers, type Handler, type Handlers, toHast } from 'mdast-util-to-hast';
import { isParent, startOf } from '../cutting/nodes.js';
import { textOfTitle, titleOfCode } from '../markdown/title-of-code.js';
import { readPart } from '../markdown/visible/part.js';
import { markSentence } from './marked-sentence.js';
import type { Emphasis, Render } from './render.js';
import { renderPlainText } from './render-plain-text.js';
import { safeHtml } from './safe-html.js';

/** Levels by which headings are lowered: the first two are those of the page. */
const LEVELS = 2;

/** A part of a file shows footnotes where they are, as the other end may be elsewhere. Images are their texts. */
const HANDLERS: Handlers = {
  footnoteReference: (_, { label, identifier }) => element('sup', [text(label ?? identifier)]),
  footnoteDefinition: (state, node) => element('blockquote', [element('sup', [text(node.label)]), ...state.all(node)]),
  image: (_, { alt }) => text(alt),
  imageReference: (_, { alt }) => text(alt),
  listItem(state, node) {
    const box = node.checked === true ? '☑ ' : '☐ ';
    const isTask = typeof node.checked === 'boolean';
    return element('li', [...(isTask ? [text(box)] : []), ...inItem(state.all(node), node.spread)]);
  },
};

/** A part of a markdown file, as `showMarkdown` shows it. */
export const renderMarkdown: Render = (source, emphasis) => render(source, { ...emphasis, mdx: false });

/** A part of an MDX file, as `showMdx` shows it. */
export const renderMdx: Render = (source, emphasis) => render(source, { ...emphasis, mdx: true });

function render(source: string, { mdx, ...emphasis }: Emphasis & { readonly mdx: boolean }): string {
  const part = readPart(source, { mdx });
  if (!part) return renderPlainText(source, emphasis);
  const { root, text: commonMark } = part;
  // What was added after the text is not a part of it.
  root.children = root.children.filter((node) => startOf(node) < commonMark.length);
  lowerHeadings(root);
  if (emphasis.sentence) markSentence(root, emphasis.sentence, commonMark);
  const html = safeHtml(
    toHast(root, { handlers: { ...HANDLERS, code: codeBelowTitle(commonMark, emphasis) } }) as Hast,
    emphasis,
  );
  // What would be invisible is shown unchanged.
  return html === '' ? renderPlainText(source, emphasis) : html;
}

/** Code with its title as the first line, in `strong`. */
function codeBelowTitle(source: string, { sentence }: Emphasis): Handler {
  return (state, node: Code) => {
    const code = defaultHandlers.code(state, node);
    const title = titleOfCode(node, source);
    const [first, last] = [title[0], title.at(-1)];
    if (!first || !last) return code;
    const shown = text(textOfTitle(title, source));
    const isMarked = sentence && sentence.start < last.end && sentence.end > first.start;
    const line = element('strong', [isMarked ? element('mark', [shown]) : shown]);
    return { ...code, children: [line, text('\n'), ...code.children] };
  };
}

function lowerHeadings(node: Nodes): void {
  if (node.type === 'heading') node.depth = Math.min(node.depth + LEVELS, 6) as typeof node.depth;
  if (isParent(node)) for (const child of node.children) lowerHeadings(child);
}

/** The paragraphs of a tight item are its text. */
function inItem(children: readonly ElementContent[], isSpread: boolean): ElementContent[] {
  if (isSpread) return [...children];
  return children.flatMap((child) => (child.type === 'element' && child.tagName === 'p' ? child.children : [child]));
}

function element(tagName: string, children: ElementContent[]): ElementContent {
  return { type: 'element', tagName, properties: {}, children };
}

function text(value: string | null | undefined): ElementContent {
  return { type: 'text', value: value ?? '' };
}
