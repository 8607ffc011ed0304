import { z } from 'zod';
import type { Bot } from '../index.js';
import { botSchema, botSummarySchema } from './bot-schema.js';
import { adminOperation } from './operation.js';
import { metaSchema, nextToken, pageSize, sortDirection } from './paging.js';

export const listBotsResponse = z.strictObject({ bots: z.array(botSummarySchema), meta: metaSchema });

export const listBots = adminOperation({
  id: 'listBots',
  method: 'GET',
  path: '/v1/admin/bots',
  summary: 'List the bots of the workspace, a page at a time',
  parts: {
    query: z.object({
      dev: z.boolean().optional().describe('true or false'),
      tags: z.record(z.string(), z.string()).optional().describe('an object of tag names to values'),
      nextToken,
      pageSize,
      sortField: z.enum(['createdAt', 'updatedAt']).optional().describe('createdAt or updatedAt'),
      sortDirection,
    }),
  },
  response: listBotsResponse,
  async handle({ target, request }) {
    const { bots, meta } = await target.listBots(request);
    return { bots: bots.map(summary), meta };
  },
});

export const getBotResponse = z.strictObject({ bot: botSchema });

export const getBot = adminOperation({
  id: 'getBot',
  method: 'GET',
  path: '/v1/admin/bots/{id}',
  summary: 'Get a bot',
  parts: { path: z.object({ id: z.string().min(1).describe("the bot's id") }) },
  response: getBotResponse,
  errors: ['ResourceNotFound'],
  handle: async ({ target, request }) => ({ bot: whole((await target.getBot(request)).bot) }),
});

type Summary = z.output<typeof botSummarySchema>;

function summary({ id, name, createdAt, updatedAt, deployedAt }: Bot): Summary {
  return { id, name, createdAt, updatedAt, ...(deployedAt && { deployedAt }), tags: {}, type: 'studio' };
}

/** A bot here is its files: the rest of what the contract wants of one is empty. */
function whole(bot: Bot): z.output<typeof botSchema> {
  return {
    ...summary(bot),
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
