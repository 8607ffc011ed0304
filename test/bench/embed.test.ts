import { describe, expect, it } from 'vitest';
import { openEmbedder } from 'waymark';
import { sharesOf } from '../../bench/embed/measure.js';
import { phasesOf } from '../../bench/embed/phases.js';
import { shareLines } from '../../bench/embed/report.js';
import { variedMarkdown } from '../../bench/support/corpus/varied-markdown.js';
import { hashVectors } from '../../bench/support/embedders/hash-vectors.js';

describe('a varied copy', () => {
  const text = [
    '---',
    'title: Relays',
    '---',
    '# Relays',
    '',
    'A relay sends',
    'on.',
    '',
    '## Limits',
    'Two hops.',
    '',
    '- an item',
    '',
    '```sh',
    '# not a title',
    '',
    'not a paragraph',
    '```',
    '',
    '| a | b |',
    '',
    'The end.',
  ].join('\n');

  it('has its number in the title, and a number before each paragraph', () => {
    expect(variedMarkdown(text, { copy: 7 }).split('\n')).toEqual([
      '---',
      'title: Relays',
      '---',
      '# Relays 7',
      '',
      '7.1 A relay sends',
      'on.',
      '',
      '## Limits',
      'Two hops.',
      '',
      '- an item',
      '',
      '```sh',
      '# not a title',
      '',
      'not a paragraph',
      '```',
      '',
      '| a | b |',
      '',
      '7.2 The end.',
    ]);
  });

  it('is reproducible from its number', () => {
    expect(variedMarkdown(text, { copy: 7 })).toBe(variedMarkdown(text, { copy: 7 }));
    expect(variedMarkdown(text, { copy: 8 })).not.toBe(variedMarkdown(text, { copy: 7 }));
  });
});

describe('hash vectors', () => {
  it('are unit vectors that depend on the text alone', async () => {
    const { embedder } = await openEmbedder();
    const recorded: string[] = [];
    const instant = hashVectors(embedder, { onTexts: (texts) => recorded.push(...texts) });
    const [a, again, b] = await instant.embedPassages(['a', 'a', 'b']);
    expect(a).toHaveLength(384);
    expect(Math.hypot(...(a ?? []))).toBeCloseTo(1, 6);
    expect(again).toEqual(a);
    expect(b).not.toEqual(a);
    expect(recorded).toEqual(['a', 'a', 'b']);
  });

  it('have a fingerprint of their own and the tokenizer of the model', async () => {
    const { embedder } = await openEmbedder();
    const { card, counter } = hashVectors(embedder);
    expect(card.fingerprint).not.toBe(embedder.card.fingerprint);
    expect(counter).toBe(embedder.counter);
  });
});

describe('the phases of a run', () => {
  it('begin with their first progress event; the last ends with the run', () => {
    const events = [
      { phase: 'read', at: 1 },
      { phase: 'read', at: 2 },
      { phase: 'embed', at: 4 },
      { phase: 'embed', at: 9 },
    ] as const;
    expect(phasesOf(events, { end: 10 })).toEqual({ walk: 1, read: 3, embed: 5, settle: 1 });
  });

  it('are all before the first file in a run without progress events', () => {
    expect(phasesOf([], { end: 2 })).toEqual({ walk: 2, read: 0, embed: 0, settle: 0 });
  });
});

describe('the share of the bare model', () => {
  const round = { ceiling: { seconds: 46 }, cold: { seconds: 50 }, warm: { seconds: 48 } };

  it('is its time over that of indexing', () => {
    expect(sharesOf(round)).toEqual({ cold: 46 / 50, warm: 46 / 48 });
  });

  it('is reported with the share of each round and its target', () => {
    const rounds = [round, { ...round, cold: { seconds: 92 } }];
    expect(shareLines({ rounds, share: { cold: 0.92, warm: 0.9 } })).toEqual([
      'met  share of the bare model, model loaded meanwhile: 0.92 (target: at least 0.92), by round: 0.920, 0.500',
      'MISSED  share of the bare model, model loaded before: 0.9 (target: at least 0.92), by round: 0.958, 0.958',
    ]);
  });
});
