import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test } from 'vitest';
import { emptyProject, play, type Surroundings } from './transcript.js';

test('the example of the README prints what the README says', async () => {
  const { said, printed } = await play('README.md', emptyProject());
  expect(printed).toEqual(said);
  expect(said.join()).toContain('docs/keys.md');
});

test('the commands of the tutorial print what it says, and its agent finds what they have indexed', async () => {
  const project = emptyProject();
  const { said, printed } = await play('docs/tutorial.md', project);
  expect(printed).toEqual(said);
  expect(said.length).toBeGreaterThan(8);
  const agent = await agentOf(project);
  const { content } = await agent.callTool({ name: 'search', arguments: { query: 'Whom do I call when I am ill?' } });
  expect(JSON.stringify(content)).toContain('Call your manager');
});

/** An agent that starts the server that `.mcp.json` names. */
async function agentOf({ cwd, env }: Surroundings): Promise<Client> {
  const { mcpServers } = JSON.parse(readFileSync(path.join(cwd, '.mcp.json'), 'utf8'));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ ...mcpServers.docs, cwd, env: env as Record<string, string> }));
  onTestFinished(() => client.close());
  return client;
}
