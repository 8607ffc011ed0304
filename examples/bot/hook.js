import { withKnowledge } from 'waymark';

/** A hook that runs before the bot answers and puts what the files say into the event. */
export function beforeAnswer(event, { search }) {
  return withKnowledge(event, {
    search,
    knowledgeBases: [
      { name: 'guides', tags: { guide: 'true' } },
      { name: 'everything else', tags: { guide: { not: 'true' } } },
    ],
    limit: 2,
    minScore: 0.25,
    contextDepth: 0,
    onError: (error, { name }) => console.error(`The knowledge base "${name}" was left out: ${error}`),
  });
}
