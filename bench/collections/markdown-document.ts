import type { Document } from './collection.js';

/** What begins a block where it begins a line: headings, lists, quotes, tables, thematic breaks, front matter. */
const BLOCK_START = /^(?:#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|[-+=:|_*][-+=:|_*\s]*$)/;
const NUMBERED = /^(\d{1,9})(?=[.)](?:\s|$))/;

/** A document as a markdown file: its title a heading, its text as it is, for a reader of markdown too. */
export function markdownOf({ title, text }: Document): string {
  const heading = escapeInline(oneLine(title)).replace(/#+$/, (marks) => `\\${marks}`);
  // Four blanks before a line would make it code.
  const lines = text.split(/\r\n?|\n/).map((line) => escapeLine(line.trim()));
  const body = `${lines.join('\n').trim()}\n`;
  return heading === '' ? body : `# ${heading}\n\n${body}`;
}

/** The key of a document's file. Nothing in an id may lead elsewhere, and a leading dot would hide the file. */
export function keyOf({ id }: Pick<Document, 'id'>): string {
  return `${encodeURIComponent(id).replace(/^\./, '%2E')}.md`;
}

/** The id of the document that a key names. */
export function idOf(key: string): string {
  return decodeURIComponent(key.replace(/\.md$/, ''));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function escapeLine(line: string): string {
  return escapeInline(line)
    .replace(NUMBERED, '$1\\')
    .replace(BLOCK_START, (mark) => `\\${mark}`);
}

/**
 * Backslashes where markdown would take a character for a mark, and nowhere else: a passage that is cut out of a long
 * paragraph keeps them. A bracket, say, is a mark only in front of an address.
 */
function escapeInline(line: string): string {
  return line
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, '\\\\')
    .replace(/[`~]/g, '\\$&')
    .replace(/\*(?=\S)|(?<=\S)\*/g, '\\*')
    .replace(/(?<![\p{L}\p{N}])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/\](?=[(:])/g, '\\]');
}
