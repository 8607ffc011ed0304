import type { Closers } from '../closers.js';
import type { Edits } from '../edits.js';
import { SHORT } from '../places.js';

/** What the marks of GitBook are found with. */
interface GitBookReading {
  readonly source: string;
  readonly edits: Edits;
  readonly closers: Closers;
}

const TABLE = /^<table\b/;
/** The first row of the header. */
const HEADER = /^<table\b[^<>]*>\s*<thead>\s*<tr\b[^<>]*>([\s\S]*?)<\/tr>/;
const HEADER_CELL = /<th\b([^<>]*)>/g;
const IS_HIDDEN = /\sdata-hidden\b/;

/** A row begins, or a cell begins or ends. */
const ROW_OR_CELL = /<(tr|td)\b[^<>]*>|<\/td>/g;

/** The picture of an icon, with its name as text: `<i class="fa-bell">:bell:</i>`. */
const ICON = /^<i\s+class="fa-[\w-]+">:[\w-]+:<\/i>/;

/** Hides icons of GitBook, and cells of the columns of a table that are not shown, such as the targets of cards. */
export class GitBook {
  /** The ends of the cells that are not shown, by where they start. */
  readonly #hidden = new Map<number, number>();
  /** The end of the last table that was read: a table inside of it is not. */
  #end = 0;

  /** Hides what is not shown at an offset. Returns the offset after it; 0 if it hides nothing there. */
  hide(reading: GitBookReading, at: number): number {
    const { source, edits, closers } = reading;
    const head = source.slice(at, at + SHORT);
    const close = at >= this.#end && TABLE.test(head) ? closers.next('</table>', at) : -1;
    if (close >= 0) this.#findHidden(source, at, close);
    const end = this.#hidden.get(at) ?? at + (ICON.exec(head)?.[0].length ?? 0);
    edits.hide(at, end);
    return end > at ? end : 0;
  }

  #findHidden(source: string, start: number, end: number): void {
    this.#end = end;
    const table = source.slice(start, end);
    const [, header = ''] = HEADER.exec(table) ?? [];
    const columns = [...header.matchAll(HEADER_CELL)].map(([, attributes = '']) => IS_HIDDEN.test(attributes));
    if (!columns.includes(true)) return;
    let column = -1;
    let cell = -1;
    for (const { index, 0: tag, 1: name } of table.matchAll(ROW_OR_CELL)) {
      if (name === 'tr') column = -1;
      else if (name === 'td') [cell, column] = [index, column + 1];
      else if (cell >= 0 && columns[column]) this.#hidden.set(start + cell, start + index + tag.length);
    }
  }
}
