import type { WaymarkErrorCode } from './errors.js';

/** Bytes. */
export const KB = 1024;
/** Bytes. */
export const MB = 1024 * KB;

/** A bound on what Waymark accepts in a call, a request or a file, or on what it returns. */
export interface Limit {
  /** What is bounded, as messages name it. */
  readonly name: string;
  /** The largest permitted value; the default where an option of the service sets it. */
  readonly value: number;
  /** What `value` counts, in the plural: `bytes`. */
  readonly unit: string;
  /** The HTTP status for a value beyond it. Missing where nothing is refused and the excess is ignored. */
  readonly status?: 400 | 413 | 429 | 431;
  /** The code of the error, in process as over HTTP. Defaults to `INVALID_ARGUMENT`. */
  readonly code?: WaymarkErrorCode;
  /** The option of `waymark serve` that changes it. */
  readonly option?: string;
  /** One sentence on what it is for, or where it applies. */
  readonly purpose: string;
}

/** Every limit. Validation, parsers, the service and docs/reference/limits.md take theirs from here. */
export const LIMITS = {
  query: {
    name: 'query',
    value: 2 * KB,
    unit: 'bytes',
    status: 400,
    purpose: 'The question of a search; a model reads a few hundred words.',
  },
  searchFilesLimit: {
    name: 'limit',
    value: 50,
    unit: 'passages',
    status: 400,
    purpose: 'Passages, or files with `consolidate`, of one searchFiles.',
  },
  searchLimit: {
    name: 'limit',
    value: 1000,
    unit: 'hits',
    status: 400,
    purpose: 'Hits of one `search` of an engine.',
  },
  embedded: { name: 'limit', value: 100_000, unit: 'passages', status: 400, purpose: 'Of one `embeddedPassages`.' },
  contextDepth: {
    name: 'contextDepth',
    value: 10,
    unit: 'passages',
    status: 400,
    purpose: 'Neighbours of a match on each side.',
  },
  response: {
    name: 'The answer',
    value: 8 * MB,
    unit: 'bytes',
    status: 413,
    code: 'RESPONSE_TOO_LARGE',
    purpose: 'Texts, tags and metadata of one search or page, before JSON escapes; each hit repeats those of its file.',
  },
  highlighted: {
    name: 'highlight',
    value: 320,
    unit: 'sentences',
    purpose: 'Sentences of one searchFiles that are compared with the query; each passage has an equal share.',
  },
  pageSize: {
    name: 'pageSize',
    value: 100,
    unit: 'items',
    status: 400,
    purpose: 'Files, bots, tags or values on one page.',
  },
  listFilePassagesLimit: {
    name: 'limit',
    value: 200,
    unit: 'passages',
    status: 400,
    purpose: 'Passages on one page of listFilePassages.',
  },
  ids: { name: 'ids', value: 50, unit: 'ids', status: 400, purpose: 'Files that listFiles is asked for by id.' },
  filterConditions: {
    name: 'The filter',
    value: 100,
    unit: 'conditions',
    status: 400,
    purpose: 'Tags that one filter names.',
  },
  filterValues: {
    name: 'The filter',
    value: 1000,
    unit: 'values',
    status: 400,
    purpose: 'Values of all conditions of one filter.',
  },
  paths: { name: 'path', value: 1000, unit: 'paths', status: 400, purpose: 'Paths that one search is restricted to.' },
  path: { name: 'A path', value: 1000, unit: 'characters', status: 400, purpose: 'A file, folder or glob of `path`.' },
  globs: {
    name: 'path',
    value: 1000,
    unit: 'characters of globs',
    status: 400,
    purpose: 'All globs of one search together: every key of the bot is matched with each.',
  },
  id: { name: 'id', value: 1000, unit: 'characters', status: 400, purpose: 'The id or key of a file, or of a bot.' },
  key: { name: 'key', value: 1000, unit: 'characters', status: 400, purpose: "A file's name in its bot." },
  name: {
    name: 'name',
    value: 100,
    unit: 'characters',
    status: 400,
    purpose: 'The name of a workspace, a bot or a token.',
  },
  contentType: { name: 'contentType', value: 200, unit: 'characters', status: 400, purpose: 'A media type.' },
  accessPolicies: { name: 'accessPolicies', value: 10, unit: 'policies', status: 400, purpose: 'Policies of a file.' },
  tags: {
    name: 'tags',
    value: 100,
    unit: 'names',
    status: 400,
    purpose: 'Tags of a file, counted after a change; further ones in front matter are left out, with a warning.',
  },
  tagsSize: {
    name: 'tags',
    value: 16 * KB,
    unit: 'bytes of JSON',
    status: 400,
    purpose: 'Names and values of the tags of a file, counted after a change; in front matter as above.',
  },
  tagName: {
    name: "A tag's name",
    value: 1000,
    unit: 'characters',
    status: 400,
    purpose: 'Tags of front matter with a longer name are left out, with a warning.',
  },
  tagValue: {
    name: "A tag's value",
    value: 1000,
    unit: 'characters',
    status: 400,
    purpose: 'Values of front matter are shortened to it.',
  },
  metadata: {
    name: 'metadata',
    value: 64 * KB,
    unit: 'bytes of JSON',
    status: 400,
    purpose: 'Metadata of a file, counted after a change; front matter beyond it is left out, with a warning.',
  },
  metadataDepth: {
    name: 'metadata',
    value: 100,
    unit: 'levels',
    status: 400,
    purpose: 'Nesting of lists and objects in metadata.',
  },
  nesting: {
    name: 'The markdown',
    value: 100,
    unit: 'levels of nesting',
    purpose: 'Blockquotes, lists, footnotes, emphases and links within one another; a file with more is cut at lines.',
  },
  lazyLines: {
    name: 'A paragraph of a quote or a list',
    value: 1000,
    unit: 'lines in a row without its mark or indentation',
    purpose: 'Such lines still belong to the paragraph; a file with more in a row is cut at lines.',
  },
  frontMatter: {
    name: 'Front matter',
    value: 64 * KB,
    unit: 'bytes',
    purpose: 'YAML or TOML at the start of a text, as written; beyond it, title, tags and metadata are left out.',
  },
  title: {
    name: 'The title',
    value: 1000,
    unit: 'characters',
    purpose: 'Every passage repeats the title of its file, so a longer one is shortened.',
  },
  breadcrumbs: {
    name: 'Breadcrumbs',
    value: 4 * MB,
    unit: 'bytes',
    purpose: 'All breadcrumbs of a file: each passage repeats the headings above it. Passages beyond it have none.',
  },
  combiningMarks: {
    name: 'Combining marks',
    value: 30,
    unit: 'marks',
    purpose: 'Marks on one character that search tells apart; 30 as in the Stream-Safe Text Format of Unicode.',
  },
  file: {
    name: 'The text',
    value: 64 * MB,
    unit: 'bytes',
    status: 400,
    purpose: 'A text or file to index, and the passages of one setFilePassages together.',
  },
  ignoreRules: {
    name: 'A .gitignore or .waymarkignore',
    value: MB,
    unit: 'bytes',
    purpose: 'A larger file is not a list of rules, and is not read.',
  },
  ignoreRule: { name: 'A pattern', value: 4096, unit: 'characters', purpose: 'A longer one of a file is skipped.' },
  content: {
    name: 'content',
    value: 256 * MB,
    unit: 'bytes',
    status: 400,
    purpose: 'The content of an upload in process, indexed or not; the greatest value of `--upload-limit`.',
  },
  passages: {
    name: 'passages',
    value: 10_000,
    unit: 'passages',
    status: 400,
    purpose: 'Passages of one setFilePassages.',
  },
  passage: {
    name: "A passage's content",
    value: 64 * KB,
    unit: 'bytes',
    status: 400,
    purpose: 'One passage of setFilePassages; it must also be short enough for the model.',
  },
  eventDepth: {
    name: 'An event',
    value: 1000,
    unit: 'levels',
    status: 400,
    purpose: 'Nesting of lists and objects in an event of a bot, in process.',
  },
  upload: {
    name: 'size',
    value: 100 * MB,
    unit: 'bytes',
    status: 413,
    option: '--upload-limit',
    purpose: 'The content of one upload over HTTP, which is stored as it arrives.',
  },
  body: { name: 'The body', value: MB, unit: 'bytes', status: 413, purpose: 'A JSON body over HTTP.' },
  header: {
    name: 'The URL and the headers',
    value: 32 * KB,
    unit: 'bytes',
    status: 431,
    purpose: 'Everything in an HTTP request but its body.',
  },
  requests: {
    name: 'A token',
    value: 6000,
    unit: 'requests per minute',
    status: 429,
    code: 'RATE_LIMITED',
    option: '--rate-limit',
    purpose: 'Requests with one token, or from one address without a token.',
  },
  parameters: { name: 'The query string', value: 1000, unit: 'parameters', status: 400, purpose: 'Of one URL.' },
  parameterItems: { name: 'A list in a URL', value: 1000, unit: 'items', status: 400, purpose: 'In one parameter.' },
  parameterDepth: { name: 'A parameter', value: 10, unit: 'levels', status: 400, purpose: 'Dots and brackets in it.' },
  connectionBytes: {
    name: 'A connection',
    value: 64 * MB,
    unit: 'bytes in flight',
    status: 429,
    code: 'RATE_LIMITED',
    purpose: 'Bodies that a connection has sent, and answers that it has not read; of an upload or download, 512 KB.',
  },
  tokenBytes: {
    name: 'A token',
    value: 128 * MB,
    unit: 'bytes in flight',
    status: 429,
    code: 'RATE_LIMITED',
    purpose: 'Bodies that arrive with a token, and answers to it that are not read; of an upload or download, 512 KB.',
  },
  botBytes: {
    name: 'A bot',
    value: 128 * MB,
    unit: 'bytes in flight',
    status: 429,
    code: 'RATE_LIMITED',
    purpose: 'Bodies that arrive for a bot, with any token or upload address; of an upload or download, 512 KB.',
  },
  waitingUploads: {
    name: 'A bot',
    value: 2000,
    unit: 'files waiting for indexing',
    status: 429,
    code: 'RATE_LIMITED',
    purpose: 'Uploads of one bot that are not indexed yet; they are taken in turns with those of other bots.',
  },
} as const satisfies Readonly<Record<string, Limit>>;
