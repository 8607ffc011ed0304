import { renderTemplate } from 'waymark';

/** An execute-code card: `title` is a template, `code` reads the event. */
export const sourcesCard = {
  title: 'Read on about "{{event.preview}}":',
  code({ event }) {
    const results = event.kb?.results ?? [];
    return [...new Set(results.map((r) => r.key))].map((key) => `- ${key}`).join('\n');
  },
};

/** Runs the card as the studio does when a conversation reaches it. */
export function runCard({ title, code }, { event }) {
  return `${renderTemplate(title, { event })}\n${code({ event })}`;
}
