/** Accounts and everything else that no bot owns. */
export const ACCOUNTS = 'WaymarkAccounts';

/** The heads of files; each bot has a tenant. */
export const FILES = 'WaymarkFiles';

/** Small records of bots: folders, knowledge bases, writes under way; each bot has a tenant. */
export const RECORDS = 'WaymarkRecords';

/** Texts and contents of files, in pieces, and bodies of passages; each bot has a tenant. */
export const CONTENTS = 'WaymarkContents';

/** What finds passages, with their embeddings; each bot has a tenant for each model. */
export const PASSAGES = 'WaymarkPassages';

/** The collections with a tenant for each bot, named by its id. */
export const BOT_COLLECTIONS = [FILES, RECORDS, CONTENTS] as const;

/** The release of the schema. Another one cannot read what this one wrote. */
export const RELEASE = 1;

/** How a property is stored and found. */
interface PropertyConfig {
  readonly name: string;
  readonly dataType: 'text' | 'text[]' | 'int' | 'number' | 'boolean';
  /** How a text becomes tokens: the whole text is one, or each word. */
  readonly tokenization?: 'field' | 'whitespace';
  readonly indexFilterable?: boolean;
  readonly indexSearchable?: boolean;
  readonly indexRangeFilters?: boolean;
}

/** A value that filters compare. */
const exact = (name: string, dataType: 'text' | 'text[]' = 'text'): PropertyConfig => ({
  ...{ name, dataType, tokenization: 'field', indexFilterable: true, indexSearchable: false },
});

/** Words separated by spaces, which filters and BM25 find. */
const words = (name: string): PropertyConfig => ({
  // Filters use the searchable index, too: a second one would only take time.
  ...{ name, dataType: 'text', tokenization: 'whitespace', indexFilterable: false, indexSearchable: true },
});

/** A number that filters compare for equality and, with `isRange`, by size. */
const number = (name: string, isRange = false): PropertyConfig => ({
  ...{ name, dataType: 'number', indexFilterable: true, indexRangeFilters: isRange },
});

/** Something that is only read. */
const stored = (name: string): PropertyConfig => ({
  ...{ name, dataType: 'text', tokenization: 'field', indexFilterable: false, indexSearchable: false },
});

/** Records: `kind` and `refs` find them, `body` is JSON. */
const RECORD = [exact('kind'), exact('refs', 'text[]'), number('stamp', true), stored('body')];

/** The properties of each collection. */
export const PROPERTIES: Readonly<Record<string, readonly PropertyConfig[]>> = {
  [ACCOUNTS]: RECORD,
  [RECORDS]: RECORD,
  [FILES]: [
    exact('key'),
    exact('fileId'),
    exact('tags', 'text[]'),
    exact('status'),
    number('expires', true),
    stored('body'),
  ],
  [CONTENTS]: [exact('content'), exact('model'), stored('bytes'), stored('bodies')],
  [PASSAGES]: [
    ...[exact('generation'), exact('tags', 'text[]'), exact('places', 'text[]'), exact('textHash')],
    ...[words('breadcrumbTerms'), words('textTerms'), words('fileTerms')],
    ...[number('number'), number('position'), number('terms'), number('salt'), number('sample'), number('pending')],
    ...[stored('pendingText'), stored('candidate')],
  ],
};
