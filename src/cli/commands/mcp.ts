import type { Command } from 'commander';
import { BUDGET } from '../mcp-budget.js';
import { run } from '../run.js';
import { integer } from './option-values.js';
import { withEmbeddings } from './shared-options.js';

const HELP = `
Agents start it themselves: docs/agents.md has the configuration for each agent.

Examples:
  waymark mcp
  waymark mcp --database ~/notes/.waymark/waymark.db --budget 2000
  waymark mcp --http --port 7334`;

/** Adds `waymark mcp`, with the bounds of a budget in its help. */
export function addMcpCommand(program: Command): void {
  withEmbeddings(program.command('mcp'))
    .description('Let agents search the index over the Model Context Protocol, on stdin and stdout')
    .option(
      '--budget <tokens>',
      `maximum tokens of an answer, ${BUDGET.least} to ${BUDGET.most}, counted as 4 characters each`,
      integer,
      BUDGET.default,
    )
    .option('--http', 'serve streamable HTTP on 127.0.0.1 instead')
    .option('--port <port>', 'port for --http; 0 picks a free one (default: 7334)', integer)
    .addHelpText('after', HELP)
    .action(run(async () => (await import('../actions/mcp/mcp.js')).mcp));
}
