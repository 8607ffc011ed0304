import { createIncomingEvent, type IncomingEvent, type IncomingEventInput } from 'waymark';

/** The required fields of an event. */
export const REQUIRED = {
  botId: 'bot-1',
  direction: 'incoming',
  payload: { text: 'Where do apples grow?' },
  preview: 'Where do apples grow?',
  type: 'text',
} as const satisfies IncomingEventInput;

/** An incoming message with this preview. */
export function message(preview: string): IncomingEvent {
  return createIncomingEvent({ ...REQUIRED, payload: { text: preview }, preview });
}
