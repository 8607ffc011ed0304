import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'vitest';
import { mayMount, smallDisk } from '../small-disk.js';
import { tell, times } from '../torture.js';
import { InProcessWorld, type Place } from './in-process-world.js';
import type { Faults, Step } from './operation.js';
import { eachHistory } from './replay.js';
import { History } from './run-history.js';

async function played(steps: readonly Step[], place: Place): Promise<void> {
  const world = await InProcessWorld.open(place);
  try {
    const history = new History(world);
    await history.run(steps);
    await history.end(world);
  } finally {
    await world.close();
  }
}

/** Time to shrink a history that fails. */
const timeout = 3 * 3_600_000;

describe('a random history of library, host and service loses nothing acknowledged and brings nothing back', () => {
  it.each<readonly [string, Faults, number]>([
    ['on a steady machine', {}, 800],
    ['while the clock jumps', { clock: true }, 800],
  ])('%s', { timeout }, async (what, faults, long) => {
    const runs = times(6, long);
    await eachHistory({ runs, faults }, async (steps) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'waymark-test-'));
      try {
        await played(steps, { folder, jumps: faults.clock === true });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
    tell(`${runs} histories ${what}: nothing acknowledged lost, nothing removed back, no mixture, no hang`);
  });

  it.skipIf(!mayMount())('while the disk is sometimes full (requires permission to mount)', { timeout }, async () => {
    const runs = times(3, 200);
    await eachHistory({ runs, faults: { disk: true } }, async (steps) => {
      const disk = smallDisk(8);
      const docs = mkdtempSync(path.join(tmpdir(), 'waymark-test-'));
      try {
        await played(steps, { folder: disk.folder, docs, fill: (full) => (full ? disk.begin() : disk.end()) });
      } finally {
        disk.unmount();
        rmSync(docs, { recursive: true, force: true });
      }
    });
    tell(`${runs} histories with a full disk: nothing acknowledged lost, nothing removed back, no mixture, no hang`);
  });
});
