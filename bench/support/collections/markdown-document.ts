import type { Document } from './collection.js';

/** Starts of lines that start a block: headings, lists, quotes, tables, thematic breaks, front matter. */
const BLOCK_START = /^(?:#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|[-+=:|_*][-+=:|_*\s]*$)/;
const NUMBERED = /^(\d{1,9})(?=[.)](?:\s|$))/;

/** A document as markdown: its title as a heading, its text escaped so that markdown reads it literally. */
export function markdownOf({ title, text }: Document): string {
  const heading = escapeInline(oneLine(title)).replace(/#+$/, (marks) => `\\${marks}`);
  // An indent of four spaces would make a line code.
  const lines = text.split(/\r\n?|\n/).map((line) => escapeLine(line.trim()));
  const body = `${lines.join('\n').trim()}\n`;
  return heading === '' ? body : `# ${heading}\n\n${body}`;
}

/** The key of a document's file. An id must not change the folder, and a leading dot would hide the file. */
export function keyOf({ id }: Pick<Document, 'id'>): string {
  return `${encodeURIComponent(id).replace(/^\./, '%2E')}.md`;
}

/** The id of the document with a key. */
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
 * Escapes a character only where it is markup: a passage cut from a long paragraph keeps its backslashes. A bracket,
 * for example, is markup only before an address.
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
