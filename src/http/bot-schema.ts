import { z } from 'zod';

/** A bot as a list has it. */
export const botSummarySchema = z.strictObject({
  id: z.string().min(28).max(36),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  name: z.string(),
  deployedAt: z.iso.datetime().optional().describe('when its files were last indexed completely'),
  tags: z.record(z.string(), z.string()),
  type: z.enum(['studio', 'adk', 'desk']),
});

const empty = z.strictObject({});
const withTags = z.strictObject({ tags: empty });

/** A bot by itself. What is empty belongs to parts of the contract that are not served here. */
export const botSchema = botSummarySchema.extend({
  signingSecret: z.string(),
  integrations: empty,
  plugins: empty,
  user: withTags,
  conversation: withTags,
  message: withTags,
  states: empty,
  configuration: z.strictObject({ data: empty, schema: empty }),
  events: empty,
  recurringEvents: empty,
  subscriptions: z.strictObject({ events: empty }),
  actions: empty,
  dev: z.boolean(),
  secrets: z.array(z.string()),
  alwaysAlive: z.boolean(),
  status: z.enum(['active']),
  medias: z.array(z.never()),
});
