import { type ShownTextOptions, validateShownText } from '../../contract/engine/display.js';
import { formats } from '../../formats/formats.js';
import { beginningOf } from './beginning.js';

/**
 * A text of a file, such as the `display` of a passage, as its reader sees it: CommonMark without comments, tags,
 * anchors, definitions, shortcodes and the like. An image is its alternative text, a link whose target stands elsewhere
 * is its text. HTML, notebooks, CSV and JSON lines become lines of text without markup. Only the first 4,000 characters
 * are read; the rest stays, and so does plain text. Throws `INVALID_ARGUMENT`.
 */
export async function shownText(text: string, options: ShownTextOptions = {}): Promise<string> {
  const { contentType } = validateShownText(text, options);
  const beginning = beginningOf(text);
  const show = await formats.showing(contentType);
  const shown = show?.(beginning);
  // If a reader would see nothing, the text as it is is more useful than an empty one.
  if (!shown) return text;
  const rest = text.slice(beginning.length);
  return rest === '' ? shown : shown + beginning.slice(beginning.trimEnd().length) + rest;
}
