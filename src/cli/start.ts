// `npm start`: indexes corpus/ and answers a question about it.
import { indexWithBar } from './index-command.js';
import { DATABASE, openFor } from './options.js';
import { run } from './run.js';
import { searchAndShow } from './search-command.js';

const SAMPLE = 'How do I stop a slow receiver from holding up everything else?';

await run(async () => {
  const question = process.argv.slice(2).join(' ').trim() || SAMPLE;
  const engine = await openFor({ database: DATABASE }, { create: true });
  try {
    await indexWithBar(engine, 'corpus', {});
    process.stdout.write(`${question}\n\n`);
    const code = await searchAndShow(engine, question, { limit: 3 });
    if (question === SAMPLE) process.stdout.write('\nAsk your own: npm start -- "my question"\n');
    return code;
  } finally {
    await engine.close();
  }
})();
