import { describe, expect, it } from 'vitest';
import { openEmbedder } from 'waymark';
import { embedCommand } from '../../bench/embed/command.js';
import { sharesOf } from '../../bench/embed/embed.js';
import { instantEmbedder } from '../../bench/embed/instant-embedder.js';
import { phasesOf } from '../../bench/embed/phases.js';
import { verdict } from '../../bench/embed/report.js';
import { variedDocument } from '../../bench/embed/varied-document.js';
import { UsageError } from '../../bench/usage-error.js';

describe('a varied document', () => {
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
    '# no title',
    '',
    'no paragraph',
    '```',
    '',
    '| a | b |',
    '',
    'The end.',
  ].join('\n');

  it('has the number of the copy in its title, and a number before each paragraph', () => {
    expect(variedDocument(text, { copy: 7 }).split('\n')).toEqual([
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
      '# no title',
      '',
      'no paragraph',
      '```',
      '',
      '| a | b |',
      '',
      '7.2 The end.',
    ]);
  });

  it('is the same for the same copy, and another for another', () => {
    expect(variedDocument(text, { copy: 7 })).toBe(variedDocument(text, { copy: 7 }));
    expect(variedDocument(text, { copy: 8 })).not.toBe(variedDocument(text, { copy: 7 }));
  });
});

describe('the instant embedder', () => {
  it('gives unit vectors: the same for the same text, others for others', async () => {
    const { embedder } = await openEmbedder();
    const told: string[] = [];
    const instant = instantEmbedder(embedder, { onTexts: (texts) => told.push(...texts) });
    const [a, again, b] = await instant.embedPassages(['a', 'a', 'b']);
    expect(a).toHaveLength(384);
    expect(Math.hypot(...(a ?? []))).toBeCloseTo(1, 6);
    expect(again).toEqual(a);
    expect(b).not.toEqual(a);
    expect(told).toEqual(['a', 'a', 'b']);
  });

  it('is not taken for the model', async () => {
    const { embedder } = await openEmbedder();
    const { card, counter } = instantEmbedder(embedder);
    expect(card.fingerprint).not.toBe(embedder.card.fingerprint);
    expect(counter).toBe(embedder.counter);
  });
});

describe('the phases of a run', () => {
  it('begin with the first word of each and settle after the last', () => {
    const events = [
      { phase: 'read', at: 1 },
      { phase: 'read', at: 2 },
      { phase: 'embed', at: 4 },
      { phase: 'embed', at: 9 },
    ] as const;
    expect(phasesOf(events, { end: 10 })).toEqual({ walk: 1, read: 3, embed: 5, settle: 1 });
  });

  it('make up a run that told nothing', () => {
    expect(phasesOf([], { end: 2 })).toEqual({ walk: 2, read: 0, embed: 0, settle: 0 });
  });
});

describe('the share of the ceiling', () => {
  const round = { ceiling: { seconds: 46 }, cold: { seconds: 50 }, warm: { seconds: 48 } };

  it('is the time of the bare model over that of indexing', () => {
    expect(sharesOf(round)).toEqual({ cold: 46 / 50, warm: 46 / 48 });
  });

  it('is told with the share of each round, and whether it is enough', () => {
    const rounds = [round, { ...round, cold: { seconds: 92 } }];
    expect(verdict('From the call', { rounds, share: { cold: 0.92, warm: 1 }, of: 'cold' })).toBe(
      'From the call, indexing runs at 0.920 of the ceiling (rounds: 0.920, 0.500); the target of 0.92 is reached.',
    );
    expect(verdict('From the call', { rounds: [round], share: { cold: 0.919, warm: 1 }, of: 'cold' })).toBe(
      'From the call, indexing runs at 0.919 of the ceiling (rounds: 0.920); the target of 0.92 is missed.',
    );
  });
});

describe('arguments that are wrong are told in one sentence', () => {
  it.each([
    ['passages', ['--passages', '0'], '--passages must be a whole number from 1; it is 0.'],
    ['rounds', ['--rounds', 'x'], '--rounds must be a whole number from 1; it is x.'],
    ['sizes', ['--sizes', '1000,'], '--sizes must be a whole number from 1; it is .'],
    ['folder', ['--folder', '/nowhere'], 'No folder at /nowhere: give the folder of some markdown.'],
  ])('%s', async (_, args, message) => {
    await expect(embedCommand(args)).rejects.toThrow(new UsageError(message));
  });
});
