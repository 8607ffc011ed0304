import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

/** Debian's Chromium, which `.ci/run` installs; playwright-core downloads none. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** What the names of tests say where no Chromium is. */
export const isMissing = !existsSync(CHROMIUM);
export const withChromium = isMissing ? `skipped, as ${CHROMIUM} is missing: apt-get install chromium` : 'in Chromium';

/** A browser for the tests of a file. */
export function browserOfFile(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    // Root has no sandbox, and the proxy of a CI job does not know this machine.
    const args = ['--no-sandbox', '--no-proxy-server'];
    // Only the limit of a test ends what waits.
    if (!isMissing) browser = await chromium.launch({ executablePath: CHROMIUM, args, timeout: 0 });
  });
  afterAll(async () => {
    await browser?.close();
  });
  return () => {
    if (!browser) throw new Error('no test has a browser before it has begun');
    return browser;
  };
}
