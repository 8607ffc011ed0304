// `npm start`: indexes corpus/ and answers a question about it.
import { withEngine } from './actions/open.js';
import { indexWithProgress } from './actions/progress.js';
import { searchAndPrint } from './actions/search/search.js';
import { DATABASE } from './database-path.js';
import { printLines } from './output/print.js';
import { endWithoutOutput } from './output/streams.js';
import { run } from './run.js';

const SAMPLE = 'How do I rotate a signing secret without losing webhooks?';

function start(): Promise<number> {
  const question = process.argv.slice(2).join(' ').trim() || SAMPLE;
  return withEngine({ database: DATABASE }, { create: true }, async (engine) => {
    await indexWithProgress(engine, 'corpus', {});
    printLines([question, '']);
    const code = await searchAndPrint(engine, question, { limit: 3 });
    if (question === SAMPLE) printLines(['', 'Ask your own question: npm start -- "my question"']);
    return code;
  });
}

endWithoutOutput();
await run(async () => start)();
