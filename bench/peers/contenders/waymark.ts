import path from 'node:path';
import { openEngine } from 'waymark';
import { rankedPassage } from 'waymark/evaluation';
import { COLOURS } from '../../support/charts/palette.js';
import { type Contender, LIMIT } from './contender.js';

export const waymark: Contender = {
  name: 'waymark',
  mode: 'hybrid',
  colour: COLOURS.green,
  async index({ folder, embedder, storage }) {
    const engine = await openEngine({ database: path.join(storage, 'waymark.db'), model: embedder });
    await engine.indexFolder(folder);
    const { passages } = await engine.status();
    return {
      passages,
      search: async (query) => (await engine.search(query, { limit: LIMIT })).map(rankedPassage),
      close: () => engine.close(),
    };
  },
};
