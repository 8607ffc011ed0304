import type { Image, ImageReference, Link, LinkReference, Nodes } from 'mdast';
import { childrenWithin, endOf, startOf } from '../../cutting/nodes.js';
import { HIDDEN, withoutHidden } from '../../hidden.js';
import type { Show } from '../../visible-text.js';
import { Edits } from '../flavours/edits.js';
import { titleOfCode } from '../title-of-code.js';
import { readPart } from './part.js';
import { tagsIn } from './tags-of-html.js';

/** A line with nothing but marks of quotes. */
const BLANK = /^[\s>]*$/;

/** What begins a line with a kind or a title: a directive, an alert, a shortcode, a component. */
const TITLED = /^(?::{3}|\[!|\{[{%]|<[A-Z])/;

/** A part of a markdown file as a reader sees it, in CommonMark. */
export const showMarkdown: Show = (source) => show(source, { mdx: false });

/** A part of an MDX file as a reader sees it, in CommonMark. */
export const showMdx: Show = (source) => show(source, { mdx: true });

function show(original: string, { mdx }: { readonly mdx: boolean }): string | undefined {
  const part = readPart(original, { mdx });
  if (!part) return undefined;
  const edits = new Edits(part.text);
  hideInside(part.root, { edits, ...part });
  const shown = withoutHiddenLines(edits.result(), original);
  return part.isNested ? withoutIndentation(shown) : shown;
}

/** Removes the indentation that all lines have in common. */
function withoutIndentation(text: string): string {
  const indentations = Array.from(text.matchAll(/^[ \t]*(?=\S)/gm), ([blanks]) => blanks);
  const [least = ''] = indentations.sort((a, b) => a.length - b.length);
  return text.replace(new RegExp(`^${least}`, 'gm'), '');
}

interface Reading {
  readonly original: string;
  readonly text: string;
  readonly edits: Edits;
}

function hideUnseen(node: Nodes, reading: Reading): void {
  const { original, text, edits } = reading;
  switch (node.type) {
    case 'html':
      hideTags(text.slice(startOf(node), endOf(node)), { at: startOf(node), edits });
      break;
    case 'image':
    case 'imageReference':
      hideAroundAlt(node, reading);
      break;
    case 'inlineCode':
      // A formula stays what it is.
      if (original.charAt(startOf(node)) === '$') {
        edits.overwrite(startOf(node), endOf(node), original.slice(startOf(node), endOf(node)));
      }
      break;
    case 'link':
      if (node.url === '' && node.children.length === 0) edits.hide(startOf(node), endOf(node));
      else if (withoutHidden(node.url).trim() === '') hideAroundText(node, reading);
      else hideInside(node, reading);
      break;
    case 'linkReference':
      hideAroundText(node, reading);
      break;
    case 'code':
      // What is included is elsewhere: `{{#include a.rs}}`.
      if (withoutHidden(node.value).trim() === '' && titleOfCode(node, text).length === 0) {
        edits.hide(startOf(node), endOf(node));
      }
      break;
    case 'definition':
      edits.hide(startOf(node), endOf(node));
      break;
    default:
      hideInside(node, reading);
  }
}

function hideInside(node: Nodes, reading: Reading): void {
  for (const child of childrenWithin(node, 0, reading.text.length)) hideUnseen(child, reading);
}

/** A link is its text alone if its target is hidden, or is elsewhere. */
function hideAroundText(node: Link | LinkReference, reading: Reading): void {
  const [first, last] = [node.children[0], node.children.at(-1)];
  if (!first || !last) return;
  reading.edits.hide(startOf(node), startOf(first));
  hideInside(node, reading);
  reading.edits.hide(endOf(last), endOf(node));
}

function hideTags(html: string, { at, edits }: { readonly at: number; readonly edits: Edits }): void {
  for (const { start, end, alt, runsOn } of tagsIn(html)) {
    edits.replace(at + start, at + (alt?.start ?? end), runsOn ? '' : ' ');
    if (alt) edits.hide(at + alt.end, at + end);
  }
}

/** An image is its alternative text: nobody sees its address. */
function hideAroundAlt(node: Image | ImageReference, { text, edits }: Reading): void {
  const start = startOf(node);
  const alt = start + '!['.length;
  const isPlain = node.alt && text.startsWith(node.alt, alt);
  edits.hide(start, isPlain ? alt : endOf(node));
  if (isPlain) edits.hide(alt + (node.alt?.length ?? 0), endOf(node));
}

/** Removes the lines of which nothing is left, and one of two blank lines around them. */
function withoutHiddenLines(text: string, original: string): string {
  const lines: string[] = [];
  let isJoined = true;
  for (const { 0: line, 1: ending = '', index } of text.matchAll(/[^\r\n]*(\r\n?|\n|$)/g)) {
    const before = original.slice(index, index + line.length);
    const seen = line === before ? line : `${seenOf(line, before)}${ending}`;
    const isBlank = BLANK.test(seen);
    if (isBlank && line !== before) isJoined ||= BLANK.test(lines.at(-1) ?? '');
    else if (!isBlank || !isJoined) lines.push(seen);
    if (!isBlank) isJoined = false;
  }
  return lines.join('').trimEnd();
}

/** A line without its hidden marks and the blanks around them; marks of quotes stay, and indentation that is seen. */
function seenOf(line: string, before: string): string {
  const [start = ''] = /^[ \t>]*/.exec(line.startsWith(HIDDEN) ? '' : before) ?? [];
  const seen = withoutHidden(line.slice(start.length))
    .trim()
    .replace(/[ \t]{2,}/g, ' ');
  // The title of a directive or a component is a line of its own.
  const ending = seen !== '' && TITLED.test(before.slice(start.length)) ? '  ' : '';
  return `${start}${seen}${ending}`;
}
