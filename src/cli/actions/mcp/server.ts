import { messageOf } from '../../run.js';
import type { BotPlace } from '../../storage-place.js';
import { packageVersion } from '../../version.js';
import { protocolError } from './protocol-error.js';
import { METHODS } from './refusal.js';
import type { ReopeningEngine } from './reopening-engine.js';
import { addResources } from './resources.js';
import { CallToolRequestSchema, type CallToolResult, ErrorCode, ListToolsRequestSchema, Server } from './sdk.js';
import { shownValue } from './shown-value.js';
import { checkNames } from './tool.js';
import { getTool } from './tools/get.js';
import { listTool } from './tools/list.js';
import { searchTool } from './tools/search.js';
import { statusTool } from './tools/status.js';

const TOOLS = [searchTool, getTool, listTool, statusTool];

const INSTRUCTIONS =
  'Local documentation, searched by meaning and by words. Use search before you answer from memory, then get to read ' +
  'more of a file around a result.';

export interface ServerOptions {
  readonly engine: ReopeningEngine;
  /** The bot of the engine. */
  readonly botPlace: BotPlace;
  /** Tokens of an answer. */
  readonly budget: number;
}

/** A server of the Model Context Protocol, for one connection. */
export function createMcpServer({ engine: reopening, botPlace, budget }: ServerOptions): Server {
  const capabilities = { tools: {}, resources: {} };
  const server = new Server(
    { name: 'waymark', version: packageVersion() },
    { capabilities, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: TOOLS.map(({ name, title, description, properties, required }) => ({
      ...{ name, title, description },
      inputSchema: {
        type: 'object' as const,
        properties: { ...properties },
        required: [...required],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }): Promise<CallToolResult> => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    if (!tool) return failed(`There is no tool "${params.name}": use ${TOOLS.map(({ name }) => name).join(', ')}.`);
    try {
      const given = params.arguments ?? {};
      checkNames(given, tool);
      const answer = await reopening.use((engine) => tool.run(given, { engine, botPlace, budget, signal }));
      return { content: [{ type: 'text', text: answer.text }], structuredContent: answer.structured };
    } catch (error) {
      return failed(messageOf(error));
    }
  });
  addResources(server, reopening);
  server.fallbackRequestHandler = async ({ method }) => {
    const message = `There is no method ${shownValue(method)}: use ${METHODS.join(', ')}.`;
    throw protocolError(ErrorCode.MethodNotFound, message);
  };
  return server;
}

function failed(sentence: string): CallToolResult {
  return { content: [{ type: 'text', text: sentence }], isError: true };
}
