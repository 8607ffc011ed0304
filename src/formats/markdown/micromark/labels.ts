import { labelEnd } from 'micromark-core-commonmark';
import { gfmFootnote } from 'micromark-extension-gfm-footnote';
import type { Construct, Event, Extension, Resolver, Token, TokenizeContext } from 'micromark-util-types';

const CLOSING_BRACKET = 93;

/** The most characters of a label, by CommonMark: a longer one is no reference. */
const LONGEST_LABEL = 999;

/** Tokens at which micromark stops looking for the `![` of a footnote. */
const STOPS: ReadonlySet<string> = new Set(['gfmFootnoteCall', 'labelImage', 'labelLink', 'label', 'image', 'link']);

/**
 * What `]` may end: links, images and `![^footnotes]`. micromark's constructs, which go back through all events for
 * each `]`, get to see only the one event that they look for.
 */
export function linearLabels(): Extension {
  const [footnote] = [gfmFootnote().text?.[CLOSING_BRACKET] as Construct].flat() as [Construct];
  const links = within(labelEnd, 'linearLabelEnd', (starts) => starts.open());
  const footnotes = within(footnote, 'linearPotentialFootnoteCall', (starts) => starts.last());
  return {
    text: { [CLOSING_BRACKET]: [links, footnotes] },
    disable: { null: ['labelEnd', 'gfmPotentialFootnoteCall'] },
  };
}

/** A construct that sees one event of those before it, and no label that is too long. */
function within(
  { resolveTo, ...construct }: Construct,
  name: string,
  eventOf: (starts: LabelStarts) => Event | undefined,
): Construct {
  return {
    ...construct,
    name,
    tokenize(effects, ok, nok) {
      const event = eventOf(startsOf(this));
      if (!event) return nok;
      const events = [event];
      const sliceSerialize = (token: Pick<Token, 'start' | 'end'>, expandTabs?: boolean) =>
        token.end.offset - token.start.offset > LONGEST_LABEL ? '' : this.sliceSerialize(token, expandTabs);
      const view = Object.create(this, { events: { value: events }, sliceSerialize: { value: sliceSerialize } });
      return construct.tokenize.call(view, effects, ok, nok);
    },
    resolveTo: ((events, context) => {
      const resolved = resolveTo?.(events, context) ?? events;
      startsOf(context).resolved(resolved);
      return resolved;
    }) as Resolver,
  };
}

const starts = new WeakMap<TokenizeContext, LabelStarts>();

function startsOf(context: TokenizeContext): LabelStarts {
  const known = starts.get(context) ?? new LabelStarts();
  starts.set(context, known);
  known.read(context.events);
  return known;
}

/** The `[` and `![` of a text that no `]` has closed yet. */
class LabelStarts {
  readonly #open: Event[] = [];
  #last: Event | undefined;
  #read = 0;

  /** Takes in the events that were added. */
  read(events: readonly Event[]): void {
    for (let event = events[this.#read]; event; event = events[++this.#read]) {
      const [kind, { type }] = event;
      if (!STOPS.has(type)) continue;
      this.#last = event;
      if (kind === 'enter' && (type === 'labelImage' || type === 'labelLink')) this.#open.push(event);
    }
  }

  /** The last one that may still be closed. */
  open(): Event | undefined {
    while (this.#open.at(-1)?.[1]._balanced) this.#open.pop();
    return this.#open.at(-1);
  }

  /** The last event at which the search for a footnote ends. */
  last(): Event | undefined {
    return this.#last;
  }

  /** Takes in that the last events were replaced by a group: a link, an image or a footnote. */
  resolved(events: readonly Event[]): void {
    const group = events.at(-1);
    const start = group?.[1].start.offset ?? 0;
    while ((this.#open.at(-1)?.[1].start.offset ?? -1) >= start) this.#open.pop();
    this.#last = group;
    this.#read = events.length;
  }
}
