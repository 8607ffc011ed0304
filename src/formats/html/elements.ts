import type { Subtype } from '../../domain/passage.js';

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** Elements whose text is ignored: no reader sees it, or every page has it, such as navigation and controls. */
export const IGNORED = words(
  'script style template noscript nav svg iframe object canvas audio video select datalist button dialog textarea ' +
    'noembed noframes',
);

/** Inline elements whose text is ignored, but which take up space: they separate the words beside them. */
export const BOXES = words('svg iframe object embed canvas audio video select button textarea input meter progress');

/** Elements on lines of their own. */
export const FLOW = words(
  'address article aside blockquote body caption center dd details dir div dl dt fieldset figcaption figure footer ' +
    'form header hgroup hr html legend li main menu nav ol p pre search section summary table tbody tfoot thead tr ul',
);

/** The elements that make a block together with all that they contain, and what they make of it. */
export const CONTAINERS: ReadonlyMap<string, Subtype> = new Map([
  ['blockquote', 'blockquote'],
  ['dl', 'list'],
  ['menu', 'list'],
  ['ol', 'list'],
  ['pre', 'code'],
  ['table', 'table'],
  ['ul', 'list'],
]);

/** Elements of containers that a long block is cut before. */
export const CUTS = words('dt li p tr');

/** The name of a heading. */
export const HEADING = /^h[1-6]$/;

/** The cells of a table, which run on in the line of their row. */
export const CELLS = words('td th');

/** Elements whose text is code. */
export const CODE = words('code kbd samp tt');

const CELL_ENDS = words('td th tr tbody tfoot thead');

/** Elements whose end tag may be missing, and those that end them where they start. */
export const ENDED_BY: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['dd', words('dd dt')],
  ['dt', words('dd dt')],
  ['li', words('li')],
  ['option', words('option optgroup')],
  ['p', new Set([...FLOW, ...words('h1 h2 h3 h4 h5 h6 td th')])],
  ['td', CELL_ENDS],
  ['th', CELL_ENDS],
  ['tr', words('tr tbody tfoot thead')],
]);

/** Elements with items or rows of their own: these do not end an item or a row around the element. */
export const NESTING = words('dl menu ol select table ul');

/** Elements without an end tag. */
export const VOID = words('area base br col embed hr img input link meta source track wbr');
