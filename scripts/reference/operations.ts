import { type JsonSchema, jsonSchemaOf } from '#src/contract/json-schema.js';
import { type HttpOperation, type Operation, type Permission, placeOf } from '#src/contract/operation.js';
import { botSchema } from '#src/contract/operations/bots.js';
import { fileSchema, uploadFile } from '#src/contract/operations/files.js';
import { OPERATIONS } from '#src/contract/operations/index.js';
import { knowledgeBaseSchema } from '#src/contract/operations/knowledge-bases.js';
import { matchMetaSchema, passageMetaSchema } from '#src/contract/operations/search.js';
import { workspaceSchema } from '#src/contract/operations/workspaces.js';
import { table } from './table.js';

const GROUPS: readonly (readonly [title: string, operations: readonly Operation[]])[] = [
  ['Search', [OPERATIONS.searchFiles]],
  [
    'Files',
    [
      uploadFile,
      OPERATIONS.upsertFile,
      OPERATIONS.listFiles,
      OPERATIONS.getFile,
      OPERATIONS.updateFileMetadata,
      OPERATIONS.copyFile,
      OPERATIONS.deleteFile,
    ],
  ],
  ['Passages', [OPERATIONS.listFilePassages, OPERATIONS.setFilePassages]],
  [
    'Knowledge bases',
    [
      OPERATIONS.listKnowledgeBases,
      OPERATIONS.createKnowledgeBase,
      OPERATIONS.updateKnowledgeBase,
      OPERATIONS.deleteKnowledgeBase,
    ],
  ],
  ['Tags', [OPERATIONS.listFileTags, OPERATIONS.listFileTagValues]],
  ['Bots', [OPERATIONS.listBots, OPERATIONS.createBot, OPERATIONS.getBot, OPERATIONS.updateBot, OPERATIONS.deleteBot]],
  ['Workspaces', [OPERATIONS.listWorkspaces, OPERATIONS.getWorkspace, OPERATIONS.updateWorkspace]],
];

const ROLES: Readonly<Record<Permission, string>> = {
  search: 'search, member or admin',
  files: 'member or admin',
  admin: 'admin',
};

const INTRODUCTION = `# Operations

<!-- Generated from src/contract/ by "npm run docs": edit the contract, not this file. -->

Every operation takes one object and answers one object, and it is the same in three places:

- in process: file operations on \`await host.bot(id)\`, operations on bots and workspaces on \`host.workspace(id)\`; an engine has
  \`searchFiles\`, \`listBots\` and \`getBot\`;
- over HTTP with \`createClient\`, whose methods have the same names; instead of \`upsertFile\` use \`uploadFile\`;
- over HTTP with any client, on the routes below: see [api.md](../api.md) for headers and encodings.

A wrong argument is refused with the same sentence in all three: \`INVALID_ARGUMENT\`, over HTTP status 400. Unknown
fields are ignored. Every operation can also throw \`BOT_MISSING\`, \`BUSY\` and \`ENGINE_CLOSED\`, and over HTTP
\`UNAUTHORIZED\`, \`FORBIDDEN\`, \`RATE_LIMITED\`, \`SERVER_FAILED\`, \`CONNECTION_FAILED\`, \`RESPONSE_INVALID\` and
\`ABORTED\`. Fields marked * are required.
`;

/** Objects that several operations answer; they have a title. */
const OBJECTS = [fileSchema, botSchema, workspaceSchema, knowledgeBaseSchema, passageMetaSchema, matchMetaSchema].map(
  (schema) => jsonSchemaOf(schema, 'output'),
);

/** Every operation with its fields, and the objects that several of them answer. */
export function operationsPage(): string {
  const operations = GROUPS.map(([title, members]) => `## ${title}\n\n${members.map(section).join('\n')}`);
  const objects = OBJECTS.map((schema) => {
    return `### ${titleOf(schema)}\n\n${table(['field', 'type', 'description'], rowsOf(schema))}`;
  });
  return `${[INTRODUCTION, ...operations, '## Objects\n', ...objects].join('\n').trimEnd()}\n`;
}

function section(operation: Operation): string {
  const { id, summary, permission, request, response, errors } = operation;
  const fields = rowsOf(jsonSchemaOf(request)).map(([path = '', ...cells]) => {
    const [, name = ''] = /(\w+)/.exec(path) ?? [];
    const header = isHttp(operation) ? operation.requestHeaders?.[name] : undefined;
    const place = header === undefined ? placeOf : () => `header \`${header}\``;
    return [path, ...(isHttp(operation) ? [place(operation, name)] : []), ...cells];
  });
  const answers = rowsOf(jsonSchemaOf(response, 'output'));
  const headers = isHttp(operation) ? Object.entries(operation.responseHeaders ?? {}) : [];
  return [
    `### ${id}\n`,
    `${summary}.\n`,
    isHttp(operation)
      ? `\`${operation.method} ${operation.path}\`, for tokens with the role ${ROLES[permission]}.\n`
      : 'Over HTTP: upsertFile, a PUT of the content to its `uploadUrl`, and getFile.\n',
    table(['request', ...(isHttp(operation) ? ['in'] : []), 'type', 'description'], fields),
    answers.length > 0 ? table(['response', 'type', 'description'], answers) : 'The response is an empty object.\n',
    ...headers.map(([name, meaning]) => `Header \`${name}\`: ${meaning}\n`),
    ...(errors.length > 0 ? [`Throws ${errors.map((code) => `\`${code}\``).join(', ')}.\n`] : []),
  ].join('\n');
}

function isHttp(operation: Operation): operation is HttpOperation {
  return 'path' in operation;
}

interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema): Field[] {
  const names = required as readonly string[];
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => {
    return { name, required: names.includes(name), schema };
  });
}

/** All fields of an object, by path: `passages[].file.key`. Those of an object with a title are listed apart. */
function rowsOf(schema: JsonSchema, prefix = ''): string[][] {
  return fieldsOf(schema).flatMap(({ name, required, schema: field }) => {
    const item = (field.type === 'array' ? field.items : field) as JsonSchema;
    const path = `${prefix}${name}`;
    const row = [`\`${path}\`${required ? ' *' : ''}`, typeOf(field), descriptionOf(field)];
    if (titleOf(item)) return [row];
    return [row, ...rowsOf(item, `${path}${field.type === 'array' ? '[]' : ''}.`)];
  });
}

function titleOf({ title }: JsonSchema): string {
  return typeof title === 'string' ? title : '';
}

function typeOf(schema: JsonSchema): string {
  const title = titleOf(schema);
  if (title) return `[${title}](#${title.toLowerCase()})`;
  const { type, enum: values, anyOf, items, format, additionalProperties } = schema;
  if (Array.isArray(values)) return values.map((value) => `\`${value}\``).join(', ');
  if (Array.isArray(anyOf)) return anyOf.map(typeOf).join(' or ');
  if (type === 'array') return `list of ${typeOf(items as JsonSchema)}`;
  if (type === 'string' && format === 'date-time') return 'time';
  const isRecord = typeof additionalProperties === 'object' && Object.keys(additionalProperties ?? {}).length > 0;
  if (type === 'object' && isRecord) return `object of ${typeOf(additionalProperties as JsonSchema)}`;
  if (Array.isArray(type)) return type.join(' or ');
  return typeof type === 'string' ? type : 'any';
}

function descriptionOf({ description = '', default: value }: JsonSchema): string {
  return value === undefined ? String(description) : `${description} Defaults to \`${JSON.stringify(value)}\`.`;
}
