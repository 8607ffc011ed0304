import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { watchFiles } from '#src/indexing/folder/file-watcher.js';
import { folderOf } from '../../support/folder.js';
import { until } from '../../support/until.js';

it('the second deletion of a file is noticed, however soon it follows the first', async () => {
  const root = folderOf({ 'a.md': 'yak' });
  const place = path.join(root, 'a.md');
  /** Whether the file was there when a change of it was last reported. */
  let wasThere = true;
  let isReady = false;
  const files = watchFiles(root, {
    onChange: (changed) => {
      if (changed === place) wasThere = existsSync(place);
    },
    onReady: () => {
      isReady = true;
    },
    onFailure: (error) => expect.fail(error.message),
  });
  onTestFinished(() => files.close());
  await until(() => isReady);
  for (let i = 0; i < 5; i++) {
    rmSync(place);
    await until(() => !wasThere);
    writeFileSync(place, 'yak');
    await until(() => wasThere);
  }
  rmSync(place);
  await until(() => !wasThere);
});
