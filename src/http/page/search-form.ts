import type { Bot, BotFiles } from '../../index.js';
import { type Html, html } from '../html.js';
import type { PageRequest } from './page-request.js';

/** Tags, and values of each, that are proposed. */
const TAGS = 10;
const VALUES = 20;

/** What a form lets choose from. */
export interface Choices {
  readonly bots: readonly Bot[];
  readonly folders: readonly string[];
  /** Such as `audience=admin`. */
  readonly tags: readonly string[];
}

/** The choices that a bot offers. */
export async function choicesOf(files: BotFiles, bots: readonly Bot[]): Promise<Choices> {
  const { tags: names } = await files.listFileTags({ pageSize: TAGS });
  const tags: string[] = [];
  for (const tag of names) {
    const { values } = await files.listFileTagValues({ tag, pageSize: VALUES });
    tags.push(...values.map((value) => `${tag}=${value}`));
  }
  return { bots, folders: await files.index.folders(), tags };
}

/** The form, with what a request has filled in. */
export function searchForm(request: PageRequest, choices: Choices): Html {
  const { query, folder, path, tags, consolidate } = request;
  const isFiltered = folder !== '' || path !== '' || tags.length > 0 || consolidate;
  return html`<form id="search" role="search" action="/" method="get">
<div class="query">
<label class="hidden" for="query">Search</label>
<input id="query" name="query" type="search" value="${query}" dir="auto" autocomplete="off" autofocus
 placeholder="Ask a question, or search for words">
<button>Search</button>
</div>
<details class="filters"${isFiltered && html` open`}>
<summary>Filters</summary>
<div class="fields">
${filterFields(request, choices)}
<p class="field"><label><input name="consolidate" type="checkbox" value="true"${consolidate && html` checked`}>
One result per file</label></p>
</div>
</details>
</form>`;
}

function filterFields({ bot, folder, path, tags }: PageRequest, choices: Choices): Html[] {
  const bots = choices.bots.map(({ id, name }) => [id, name] as const);
  const folders = choices.folders.map((name) => [name, name] as const);
  // The chosen value is shown even if it is not among the choices.
  const isOther = folder !== '' && !choices.folders.includes(folder);
  const all = [['', 'all'], ...folders, ...(isOther ? [[folder, folder]] : [])] as const;
  const attributes = html`dir="auto" autocomplete="off" placeholder="guides or *.mdx"`;
  const tagAttributes = html`dir="auto" autocomplete="off" placeholder="name=value"`;
  // One field for each tag, and one for another.
  const tagFields = [...tags, ''].map((tag, i) =>
    field(
      { id: `tag-${i}`, name: i === 0 ? 'Tag' : 'and tag' },
      html`<input id="tag-${i}" name="tag" value="${tag}" list="tags" ${tagAttributes}>`,
    ),
  );
  return [
    ...(bots.length > 1 ? [field({ id: 'bot', name: 'Bot' }, select('bot', bots, bot))] : []),
    field({ id: 'folder', name: 'Folder' }, select('folder', all, folder)),
    field({ id: 'path', name: 'Path' }, html`<input id="path" name="path" value="${path}" ${attributes}>`),
    ...tagFields,
    html`<datalist id="tags">${choices.tags.map((tag) => html`<option value="${tag}"></option>`)}</datalist>`,
  ];
}

function field({ id, name }: { readonly id: string; readonly name: string }, control: Html): Html {
  return html`<p class="field"><label for="${id}">${name}</label>${control}</p>`;
}

function select(id: string, options: readonly (readonly string[])[], chosen: string): Html {
  const shown = options.map(
    ([value = '', name]) => html`<option value="${value}"${value === chosen && html` selected`}>${name}</option>`,
  );
  return html`<select id="${id}" name="${id}">${shown}</select>`;
}
