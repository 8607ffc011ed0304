import { type See, type Show, VisibleTextBuilder } from '../visible-text.js';
import { readHtml } from './read-html.js';

/** What a reader sees of a part of an HTML file. */
export const seeHtml: See = (source) => {
  const seen = new VisibleTextBuilder(source);
  readHtml(source, seen);
  return seen;
};

/** A part of an HTML file as lines of text. */
export const showHtml: Show = (source) => seeHtml(source)?.text.trimEnd();
