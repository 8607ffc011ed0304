import { Client } from '@botpress/client';
import { expect, test } from 'vitest';
import { answer, refusal, serviceOf } from './service.js';

test('what the hosted API has and a local service cannot mean is a 404 that says so', async () => {
  const { url: apiUrl, token, botId, workspaceId } = await serviceOf();
  const client = new Client({ apiUrl, token, botId, workspaceId });
  const calls = {
    'conversations, messages, users, events, states or workflows': () => client.listConversations({}),
    tables: () => client.listTables({}),
    integrations: () => client.listIntegrations({}),
    interfaces: () => client.listInterfaces({}),
    plugins: () => client.listPlugins({}),
    'deployments, logs, issues or analytics of bots': () => client.listBotIssues({ id: botId }),
    'calls that create or delete workspaces: use "waymark workspace create" or "delete"': () =>
      client.createWorkspace({ name: 'another' }),
    'usages, quotas, invoices, preferences or public profiles of workspaces': () =>
      client.listWorkspaceUsages({ id: workspaceId, type: 'storage_count' }),
    'members: callers have tokens, from "waymark token create"': () => client.listWorkspaceMembers({}),
    accounts: () => client.getAccount({}),
    'activities or helpers': () => client.listActivities({ taskId: 'none', botId }),
    'usages or quotas': () => client.getUsage({ id: botId, type: 'storage_count' }),
  };
  for (const [what, call] of Object.entries(calls)) {
    const message = `Waymark has no ${what}. It serves files, their search and their bots: see /docs.`;
    await expect(call(), what).rejects.toMatchObject({ type: 'ResourceNotFound', code: 404, message });
  }
});

test('billing is a 404 that says so, and any other unknown path names its method', async () => {
  const { url } = await serviceOf();
  const billing = await answer(new URL('/v2/billing/invoices', url), {});
  const unknown = await answer(new URL('/v1/chats', url), {});
  expect([refusal(billing), refusal(unknown)]).toEqual([
    [404, 404, 'ResourceNotFound'],
    [404, 404, 'ResourceNotFound'],
  ]);
  expect(billing.body.message).toBe('Waymark has no billing. It serves files, their search and their bots: see /docs.');
  expect(unknown.body.message).toBe('No GET route has this path: see /docs for those that exist.');
  const unencoded = await answer(new URL('/v1/files/guides/keys.md', url), {});
  expect(unencoded.body.message).toBe(
    'No GET route has this path: percent-encode the slashes of a key, as in guides%2Fkeys.md.',
  );
});
