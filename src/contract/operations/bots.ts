import { z } from 'zod';
import { field } from '../fields/field.js';
import { tagTextSchema, tagValueSchema } from '../fields/file-fields.js';
import { nextTokenField, pageMetaSchema, pageSizeField, sortDirectionField } from '../fields/page.js';
import { idSchema } from '../names.js';
import type { HttpOperation, RequestOf, ResponseOf } from '../operation.js';

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

/** Lists bots. No bot has tags or is in development: a filter for either finds none. */
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
      'What to sort by.',
    ),
    sortDirection: sortDirectionField,
    dev: field(z.boolean().optional().describe('true or false'), 'Only bots in development: there are none.'),
    tags: field(
      z.record(tagTextSchema, tagValueSchema).default({}).describe('an object of names to strings'),
      'Only bots with these tags: no bot has any.',
    ),
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

/** Owns files; one database holds many bots. `deployedAt` is missing until all of its files have been indexed once. */
export type Bot = ResponseOf<typeof listBots>['bots'][number];

/** A bot as getBot returns it. */
export type BotDetails = ResponseOf<typeof getBot>['bot'];

/** Which bots to list; docs/reference.md has the range and default of each field. */
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
