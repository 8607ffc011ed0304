import type { KnowledgeBase, KnowledgeResult } from './knowledge.js';

/** `incoming`: from the user, received by the bot. `outgoing`: made by the bot, sent to the user. */
export type EventDirection = 'incoming' | 'outgoing';

/** Free-form data on the state of an event. */
export type EventState = Readonly<Record<string, unknown>>;

/** Tags of what an event belongs to. */
export interface EventTags {
  readonly conversation?: Readonly<Record<string, unknown>> | undefined;
  readonly message?: Readonly<Record<string, unknown>> | undefined;
  readonly user?: Readonly<Record<string, unknown>> | undefined;
}

/** The trigger that sent an event. */
export interface EventTrigger {
  readonly conversationId?: string | undefined;
  /** Name of the event that the trigger sent. */
  readonly eventName?: string | undefined;
  /** The workflow that has the trigger. */
  readonly flowId: string;
  readonly integration?: string | undefined;
  /** The node that has the trigger. */
  readonly nodeId: string;
  readonly userId?: string | undefined;
}

/** The knowledge bases that were queried for an event. */
export interface EventKnowledge {
  readonly included: readonly KnowledgeBase[];
  /** Best first. */
  readonly results?: readonly KnowledgeResult[] | undefined;
}

/** The last incoming event of a bot's execution: what hooks, actions, execute-code cards and templates read. */
export interface IncomingEvent {
  /** The bot that experienced the event. */
  readonly botId: string;
  readonly conversationId?: string | undefined;
  readonly createdOn: Date;
  readonly direction: EventDirection;
  /** Unique. */
  readonly id: string;
  /** The integration on which the event occurred. */
  readonly integration?: string | undefined;
  /** Missing as long as no knowledge base was queried. */
  readonly kb?: EventKnowledge | undefined;
  /** The message of the event. */
  readonly messageId?: string | undefined;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The event as plain text; for a text message, the message. */
  readonly preview: string;
  readonly state: EventState;
  readonly tags?: EventTags | undefined;
  /** Missing where no trigger sent the event. */
  readonly trigger?: EventTrigger | undefined;
  readonly type: string;
  readonly userId?: string | undefined;
}
