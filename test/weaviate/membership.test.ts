import { expect, test } from 'vitest';
import { Membership, type View } from '#src/weaviate/connection/membership.js';

const ADDRESS = 'http://10.0.0.1:8080';
const ALL = ['node1', 'node2', 'node3'];

/** A node that gives answers one after the other, the last one for ever. */
function nodeThat(...answers: readonly (readonly string[] | 'fails' | 'waits')[]): Membership {
  let asked = 0;
  return new Membership(ADDRESS, () => {
    const answer = answers[Math.min(asked++, answers.length - 1)];
    if (answer === 'waits') return new Promise<View>(() => {});
    if (answer === 'fails') return Promise.reject(new Error('node2 does not answer'));
    return Promise.resolve({ seen: answer as readonly string[], all: ALL });
  });
}

const CUT_OFF =
  'The node http://10.0.0.1:8080 sees 1 of 3 nodes: start those that are down, and restart it if it was cut off from them';

test.each([
  { seen: ['node1', 'node2', 'node3'], isWhole: true },
  { seen: ['node1', 'node2'], isWhole: false },
])('a node that sees most of the others is used: $seen', async ({ seen, isWhole }) => {
  const membership = nodeThat(seen);
  membership.prepare();
  await membership.confirm();
  expect(await membership.isWhole()).toBe(isWhole);
});

test('a node that sees at most half of the others is not used', async () => {
  await expect(nodeThat(['node1']).confirm()).rejects.toThrow(CUT_OFF);
});

test('a node that is known to be cut off is not asked', async () => {
  const membership = nodeThat(['node1']);
  expect(await membership.isWhole()).toBe(false);
  expect(() => membership.prepare()).toThrow(CUT_OFF);
});

test('a waiting request is given up when a probe shows that the node is cut off', async () => {
  const waiting = new Promise(() => {});
  await expect(Promise.race([waiting, nodeThat(['node1']).prepare()])).rejects.toThrow(CUT_OFF);
});

test.each(['fails', 'waits'] as const)('a node whose probe %s is used: it still counts the others', async (answer) => {
  await nodeThat(answer).confirm();
});

test('a probe that is not answered is followed by another one, whose result is used', async () => {
  await expect(nodeThat('waits', ['node1']).confirm()).rejects.toThrow(CUT_OFF);
});

test('recent probes are shared', async () => {
  let probes = 0;
  const membership = new Membership(ADDRESS, async () => {
    probes += 1;
    return { seen: ALL, all: ALL };
  });
  for (let requests = 0; requests < 3; requests++) {
    membership.prepare();
    await membership.confirm();
  }
  expect(probes).toBe(1);
});
