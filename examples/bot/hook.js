import { withKnowledge } from 'waymark';

/** A hook: runs before the bot answers, so that whatever runs after it finds in the event what the files say. */
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
