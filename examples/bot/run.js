// Usage: node examples/bot/run.js "question". Passes one message through the hook, the action and the card.
import { createIncomingEvent, openEngine } from 'waymark';
import { answer } from './action.js';
import { runCard, sourcesCard } from './card.js';
import { beforeAnswer } from './hook.js';

const question = process.argv.slice(2).join(' ').trim() || 'How do I replay a dead letter?';

try {
  const engine = await openEngine({ database: '.waymark/waymark.db', create: false });
  try {
    const message = createIncomingEvent({
      botId: 'example',
      direction: 'incoming',
      type: 'text',
      payload: { text: question },
      preview: question,
    });
    const event = await beforeAnswer(message, { search: engine });
    console.log(answer({ event }));
    if (event.kb?.results?.length) console.log(`\n${runCard(sourcesCard, { event })}`);
  } finally {
    await engine.close();
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
