import { createIncomingEvent, type IncomingEvent, type IncomingEventInput } from 'waymark';

/** What every event must have. */
export const LEAST = {
  botId: 'bot-1',
  direction: 'incoming',
  payload: { text: 'Where do apples grow?' },
  preview: 'Where do apples grow?',
  type: 'text',
} as const satisfies IncomingEventInput;

/** The event of a user's message. */
export function message(preview: string): IncomingEvent {
  return createIncomingEvent({ ...LEAST, payload: { text: preview }, preview });
}
