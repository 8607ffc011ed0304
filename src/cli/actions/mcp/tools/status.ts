import { describeStatus } from '../../../output/status.js';
import type { Tool } from '../tool.js';

export const statusTool: Tool = {
  name: 'status',
  title: 'Show what is indexed',
  description: 'Show what is indexed: folders, number of files and passages, when, with which model. Example: {}',
  properties: {},
  required: [],
  run: async (_given, { engine, botPlace }) => {
    const status = await engine.status();
    return { text: describeStatus(status, botPlace).join('\n'), structured: { ...status } };
  },
};
