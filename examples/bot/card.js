import { renderTemplate } from 'waymark';

/** An execute-code card: a configuration field that is a template, and code that reads the event. */
export const sourcesCard = {
  title: 'Read on about "{{event.preview}}":',
  code({ event }) {
    const results = event.kb?.results ?? [];
    return [...new Set(results.map((r) => r.key))].map((key) => `- ${key}`).join('\n');
  },
};

/** What the studio does when a conversation comes to the card. */
export function runCard({ title, code }, { event }) {
  return `${renderTemplate(title, { event })}\n${code({ event })}`;
}
