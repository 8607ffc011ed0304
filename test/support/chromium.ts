import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';

/** Debian's Chromium, which `.ci/run` installs; playwright-core downloads none. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** What the names of tests say where no Chromium is. */
export const isMissing = !existsSync(CHROMIUM);
export const withChromium = isMissing ? `skipped, as ${CHROMIUM} is missing: apt-get install chromium` : 'in Chromium';

export interface Opened {
  readonly page: Page;
  /** Addresses of everything that the page asked for. */
  readonly asked: string[];
}

/**
 * Opens pages for the tests of a file, each in a context of its own. An error in a page, such as a violation of its
 * policy, fails the test.
 */
export function opensPages(): (address: string, options?: BrowserContextOptions) => Promise<Opened> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    // Root has no sandbox, and the proxy of a CI job does not know this machine.
    const args = ['--no-sandbox', '--no-proxy-server'];
    // Waiting ends only with the time limit of the test.
    if (!isMissing) browser = await chromium.launch({ executablePath: CHROMIUM, args, timeout: 0 });
  });
  afterAll(async () => {
    await browser?.close();
  });
  return async (address, options = {}) => {
    if (!browser) throw new Error('no test has a browser before it has begun');
    const context = await browser.newContext(options);
    const wrong: string[] = [];
    const asked: string[] = [];
    onTestFinished(async () => {
      await context.close();
      expect(wrong).toEqual([]);
    });
    // Waiting ends only with the time limit of the test.
    context.setDefaultTimeout(0);
    const page = await context.newPage();
    page.on('console', (message) => {
      // What the browser says of a search that is refused, of a service that has ended, and of an address that leads to
      // a result rather than to the field.
      const isExpected = /status of 4\d\d|ERR_CONNECTION_REFUSED|Autofocus processing was blocked/.test(message.text());
      if (message.type() !== 'log' && !isExpected) wrong.push(message.text());
    });
    page.on('pageerror', ({ message }) => wrong.push(message));
    page.on('dialog', (dialog) => {
      wrong.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(address);
    return { page, asked };
  };
}

/** What axe-core finds on a page, and whether it scrolls sideways: only code and tables may, by themselves. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  return [...found, ...(overflow === 0 ? [] : [`${overflow} pixels too wide`])];
}
