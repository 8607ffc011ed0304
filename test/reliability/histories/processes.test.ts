import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'vitest';
import { tell, times } from '../torture.js';
import { InProcessWorld } from './in-process-world.js';
import { ProcessWorld } from './process-world.js';
import { eachHistory } from './replay.js';
import { History } from './run-history.js';

/** Time to shrink a history that fails. */
const timeout = 3 * 3_600_000;

test('a history in two processes that are killed and paused loses nothing acknowledged', { timeout }, async () => {
  const runs = times(2, 200);
  await eachHistory({ runs, faults: { processes: true } }, async (steps) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'waymark-test-'));
    const world = await ProcessWorld.open(folder);
    let after: InProcessWorld | undefined;
    try {
      const history = new History(world);
      await history.run(steps);
      await world.close();
      after = await InProcessWorld.open({ folder, exists: true });
      await history.end(after);
    } finally {
      await world.close();
      await after?.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
  tell(
    `${runs} histories in two processes, killed and paused: nothing acknowledged lost, nothing removed back, no hang`,
  );
});
