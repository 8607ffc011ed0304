import { WaymarkError } from '../../domain/errors.js';
import { z } from '../../domain/zod.js';
import { field } from '../fields/field.js';
import { tagChangesSchema, tagsSchema } from '../fields/file-fields.js';
import { nextTokenField, pageMetaSchema, pageSizeField, sortDirectionField } from '../fields/page.js';
import { tagFilterSchema } from '../fields/query.js';
import { refusedFields } from '../fields/refused-fields.js';
import { idSchema, nameSchema } from '../names.js';
import type { HttpOperation, RequestOf, ResponseOf } from '../operation.js';
import { shown } from '../validate.js';

/** A bot. */
export const botSchema = z
  .object({
    id: z.string().min(28).max(36).describe('A UUID.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    name: z.string(),
    deployedAt: z.iso.datetime().optional().describe('When its files were last indexed completely.'),
    tags: z.record(z.string(), z.string()),
    /** Always `studio`. */
    type: z.enum(['studio', 'adk', 'desk']),
  })
  .meta({ title: 'Bot' });

const empty = z.object({}).describe('Always empty.');
const tagged = z.object({ tags: empty });

/** A bot consists of its files: fields for parts of the contract that are not served are empty. */
const botDetailsSchema = botSchema.extend({
  signingSecret: z.string().describe('Always empty.'),
  /** Always empty. */
  integrations: empty,
  /** Always empty. */
  plugins: empty,
  /** Always without tags. */
  user: tagged,
  /** Always without tags. */
  conversation: tagged,
  /** Always without tags. */
  message: tagged,
  /** Always empty. */
  states: empty,
  /** Always empty. */
  configuration: z.object({ data: empty, schema: empty }),
  /** Always empty. */
  events: empty,
  /** Always empty. */
  recurringEvents: empty,
  /** Always empty. */
  subscriptions: z.object({ events: empty }),
  /** Always empty. */
  actions: empty,
  /** Always false. */
  dev: z.boolean(),
  secrets: z.array(z.string()).describe('Always empty.'),
  /** Always false. */
  alwaysAlive: z.boolean(),
  /** Always `active`. */
  status: z.enum(['active']),
  medias: z.array(z.never()).describe('Always empty.'),
});

/** Lists bots. No bot is in development: a filter for that finds none. */
export const listBots = {
  id: 'listBots',
  summary: 'List the bots of the workspace, a page at a time',
  permission: 'admin',
  method: 'GET',
  path: '/v1/admin/bots',
  request: z.object({
    nextToken: nextTokenField,
    pageSize: pageSizeField,
    sortField: field(
      z.enum(['createdAt', 'updatedAt']).default('createdAt').describe('createdAt or updatedAt'),
      'The field to sort by.',
    ),
    sortDirection: sortDirectionField,
    dev: field(z.boolean().optional().describe('true or false'), 'Only bots in development; Waymark has no such bots.'),
    tags: field(tagFilterSchema, 'Only bots with these tags; all conditions must hold.'),
  }),
  response: z.object({ bots: z.array(botSchema), meta: pageMetaSchema }),
  errors: [],
} as const satisfies HttpOperation;

/** Gets a bot by id or name. */
export const getBot = {
  id: 'getBot',
  summary: 'Get a bot',
  permission: 'admin',
  method: 'GET',
  path: '/v1/admin/bots/{id}',
  request: z.object({ id: field(idSchema, 'Which bot.') }),
  response: z.object({ bot: botDetailsSchema }),
  errors: ['BOT_MISSING'],
} as const satisfies HttpOperation;

/** What the hosted API lets a running bot consist of. */
const parts = refusedFields(
  [
    'code',
    'url',
    'states',
    'events',
    'recurringEvents',
    'subscriptions',
    'actions',
    'configuration',
    'integrations',
    'plugins',
    'user',
    'conversation',
    'message',
    'secrets',
    'medias',
    'description',
    'maxExecutionTime',
  ],
  { why: 'Waymark serves the files of bots, and runs none' },
);

/** Creates a bot. */
export const createBot = {
  id: 'createBot',
  summary: 'Create a bot in the workspace',
  permission: 'admin',
  method: 'POST',
  path: '/v1/admin/bots',
  request: z.object({
    name: field(nameSchema.optional().describe(nameSchema.description ?? ''), 'Defaults to the id of the bot.'),
    tags: field(tagsSchema, 'Lists of bots can be filtered by tags.'),
    dev: field(
      z.literal(false).optional().describe('false'),
      'Whether the bot is in development; Waymark has no such bots.',
    ),
    type: field(z.literal('studio').optional().describe('studio'), 'The only type.'),
    ...parts,
  }),
  response: z.object({ bot: botDetailsSchema }),
  errors: ['WORKSPACE_MISSING', 'BOT_EXISTS'],
} as const satisfies HttpOperation;

/** Changes a bot. */
export const updateBot = {
  id: 'updateBot',
  summary: 'Change the name and tags of a bot',
  permission: 'admin',
  method: 'PUT',
  path: '/v1/admin/bots/{id}',
  request: z.object({
    id: field(idSchema, 'Which bot.'),
    name: field(nameSchema.optional().describe(nameSchema.description ?? ''), 'The new name.'),
    tags: field(tagChangesSchema, 'Tags to change; others stay.'),
    ...parts,
  }),
  response: z.object({ bot: botDetailsSchema }),
  errors: ['BOT_MISSING', 'BOT_EXISTS'],
} as const satisfies HttpOperation;

/** Deletes a bot. */
export const deleteBot = {
  id: 'deleteBot',
  summary: 'Delete a bot and its files',
  permission: 'admin',
  method: 'DELETE',
  path: '/v1/admin/bots/{id}',
  request: z.object({ id: field(idSchema, 'Which bot.') }),
  response: z.object({}),
  errors: ['BOT_MISSING'],
} as const satisfies HttpOperation;

/** Owns files; one database holds many bots. `deployedAt` is missing until all of its files have been indexed once. */
export type Bot = ResponseOf<typeof listBots>['bots'][number];

/** A bot as getBot returns it. */
export type BotDetails = ResponseOf<typeof getBot>['bot'];

/** Which bots to list; docs/reference/operations.md has the range and default of each field. */
export type ListBotsRequest = RequestOf<typeof listBots>;

/** Completes a bot with the parts of the contract that are always empty here. */
export function botDetails(bot: Bot): BotDetails {
  return {
    ...bot,
    signingSecret: '',
    integrations: {},
    plugins: {},
    user: { tags: {} },
    conversation: { tags: {} },
    message: { tags: {} },
    states: {},
    configuration: { data: {}, schema: {} },
    events: {},
    recurringEvents: {},
    subscriptions: { events: {} },
    actions: {},
    dev: false,
    secrets: [],
    alwaysAlive: false,
    status: 'active',
    medias: [],
  };
}

/** The error for an id or name that no bot of the caller has. It does not say whether others have one. */
export function botMissing(id: string): WaymarkError {
  const next = 'pass an id that listBots, or "waymark bot list", shows';
  return new WaymarkError('BOT_MISSING', `There is no bot ${shown(id)}: ${next}.`);
}
