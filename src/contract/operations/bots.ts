import { z } from 'zod';
import { field } from '../fields/field.js';
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

/** A bot here is its files: what belongs to parts of the contract that are not served is empty. */
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

/** Lists bots. They have no tags and are not in development: a filter for that finds none. */
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
      z.record(z.string(), z.string()).default({}).describe('an object of names to strings'),
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

/** Owns files; one database holds many bots. `deployedAt` is missing until its files were first indexed completely. */
export type Bot = ResponseOf<typeof listBots>['bots'][number];

/** A bot as getBot answers it. */
export type BotDetails = ResponseOf<typeof getBot>['bot'];

/** Which bots to list; docs/reference.md has the range and default of each field. */
export type ListBotsRequest = RequestOf<typeof listBots>;

/** Completes a bot with the parts of the contract that are always empty here. */
export function botDetails(bot: Bot): BotDetails {
  return {
    ...bot,
    signingSecret: '',
    /** Always empty. */
    integrations: {},
    /** Always empty. */
    plugins: {},
    /** Always without tags. */
    user: { tags: {} },
    /** Always without tags. */
    conversation: { tags: {} },
    /** Always without tags. */
    message: { tags: {} },
    /** Always empty. */
    states: {},
    /** Always empty. */
    configuration: { data: {}, schema: {} },
    events: {},
    /** Always empty. */
    recurringEvents: {},
    /** Always empty. */
    subscriptions: { events: {} },
    /** Always empty. */
    actions: {},
    dev: false,
    secrets: [],
    /** Always false. */
    alwaysAlive: false,
    /** Always `active`. */
    status: 'active',
    medias: [],
  };
}
