import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { writeFiles } from '../support/folder.js';
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

test('the workflow of the page on CI passes while questions are answered, and names the one that is not', async () => {
  const { cwd, env } = emptyProject();
  const page = readFileSync(new URL('../../docs/how-to/ci.md', import.meta.url), 'utf8');
  const [questions = '', script = '', workflow = ''] = ['json', 'js', 'yaml'].map((kind) => blockOf(page, kind));
  const backups = '# Backups\n\nA copy is made every night.\n';
  writeFiles(cwd, {
    'package.json': '{ "type": "module" }',
    'questions.jsonl': questions,
    'check-answers.js': script,
    'docs/keys.md': '# Keys\n\n## Rotation\n\nRun `vault rotate` to replace\nthe active key.\n',
    'docs/backups.md': `${backups}\n## Restore\n\nStop the service, put the copy in place, and start it again.\n`,
  });
  const steps = (parse(workflow).jobs.questions.steps as { run?: string }[]).flatMap(({ run }) => run ?? []);
  expect(steps[0]).toBe('npm install waymark');
  const build = () => promisify(execFile)('bash', ['-ec', steps.slice(1).join('\n')], { cwd, env });
  expect(await build()).toMatchObject({ stderr: expect.not.stringContaining('Question') });
  // Three passages answer better than the one with the gold lines.
  const others = ['a', 'b', 'c'].map((name) => [`docs/${name}.md`, `# Restore\n\nHow to restore a backup, ${name}.\n`]);
  writeFiles(cwd, { 'docs/backups.md': `${backups}\n## Fruit\n\nPears are green.\n`, ...Object.fromEntries(others) });
  await expect(build()).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Question restore: no answer among the first three results.\n'),
  });
});

/** The first block of a kind in a page. */
function blockOf(page: string, kind: string): string {
  const [, block = ''] = new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\``, 'ms').exec(page) ?? [];
  return block;
}

/** An agent that starts the server that `.mcp.json` names. */
async function agentOf({ cwd, env }: Surroundings): Promise<Client> {
  const { mcpServers } = JSON.parse(readFileSync(path.join(cwd, '.mcp.json'), 'utf8'));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ ...mcpServers.docs, cwd, env: env as Record<string, string> }));
  onTestFinished(() => client.close());
  return client;
}
