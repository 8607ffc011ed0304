import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { faultsOf, isMissing, opensPages, withChromium } from '../../support/chromium.js';
import { type Service, serviceOf } from '../service.js';

const opened = opensPages();

/** Three sections that are a passage each. */
const SECTIONS = ['kettle', 'teapot', 'saucer']
  .map((name) => `## The ${name}\n\nA ${name} is for tea. ${'It stands on the table. '.repeat(25)}`)
  .join('\n\n');

const HOSTILE = `# Hostile

The samovar is here. <script>alert(1)</script> <img src="https://evil.example/a.png" onerror="alert(1)">
![a](https://evil.example/b.png) [b](javascript:alert(1)) <style>@import "https://evil.example/c.css"</style>

<iframe src="https://evil.example"></iframe>
`;

const MIXED = `# Mixed

A carafe with **bold** text, a [link](https://example.com) and \`code\`.

- [x] one
- two

| a | b |
|---|---|
| ${'x'.repeat(300)} | 2 |

\`\`\`
${'carafe '.repeat(60)}
\`\`\`

> Quoted.
`;

async function filled(): Promise<Service> {
  const service = await serviceOf();
  await Promise.all([
    service.put('guides/tea.md', `# Tea\n\n${SECTIONS}`, { tags: { audience: 'guest' } }),
    service.put('hostile.md', HOSTILE),
    service.put('mixed.md', MIXED),
  ]);
  return service;
}

/** The text of what has the focus or, of a field, its id. */
function focused(page: Page): Promise<string> {
  return page.evaluate('document.activeElement?.textContent || document.activeElement?.id');
}

describe.skipIf(isMissing)(`the search page ${withChromium}`, () => {
  test('answers while the query is typed; the address leads to the same answer', async () => {
    const { url } = await filled();
    const { page } = await opened(url);
    await page.locator('#query:focus').waitFor();
    await page.keyboard.type('kettle');
    await page.getByRole('link', { name: 'Tea › The kettle' }).waitFor();
    expect(page.url()).toBe(`${url}/?query=kettle`);
    expect(await page.title()).toBe('kettle · Waymark');
    expect(await page.locator('#status').textContent()).toBe(await page.locator('.summary').textContent());
    const before = await page.locator('#results').textContent();
    await page.goto(page.url());
    expect(await page.locator('#results').textContent()).toBe(before);
  });

  test('what is typed before the script has loaded is answered as soon as it has', async () => {
    const { url } = await filled();
    const { page } = await opened(url);
    let isTyped = () => {};
    const typed = new Promise<void>((resolve) => {
      isTyped = resolve;
    });
    await page.route('**/page/search.js', async (route) => {
      await typed;
      await route.continue();
    });
    await page.goto(url, { waitUntil: 'commit' });
    await page.locator('#query').fill('kettle');
    isTyped();
    await page.getByRole('link', { name: 'Tea › The kettle' }).waitFor();
    expect(page.url()).toBe(`${url}/?query=kettle`);
  });

  test('a search that a later one overtakes is cancelled, and its answer is never shown', async () => {
    const { url } = await filled();
    const { page } = await opened(url);
    await page.route(/query=kettle$/, () => {});
    const isFirst = (request: { url(): string }) => request.url().endsWith('query=kettle');
    const cancelled = page.waitForEvent('requestfailed', isFirst);
    const begun = page.waitForRequest(isFirst);
    await page.locator('#query').fill('kettle');
    await begun;
    await page.locator('#query').fill('saucer');
    await page.getByRole('link', { name: 'Tea › The saucer' }).first().waitFor();
    await cancelled;
    expect(page.url()).toBe(`${url}/?query=saucer`);
  });

  test('is used with the keyboard: / ↓ ↑ Enter Esc', async () => {
    const { url } = await filled();
    const { page } = await opened(`${url}/?query=kettle+teapot`);
    await page.locator('#query:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe('Tea › The kettle');
    await page.keyboard.press('ArrowDown');
    const second = await focused(page);
    expect(second).not.toBe('Tea › The kettle');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await focused(page)).toBe('query');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('/');
    expect(await focused(page)).toBe('query');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('query');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/file\?.*#passage-0$/);
    expect(await page.locator('.marked').textContent()).toContain('A kettle is for tea.');
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/\?query=kettle\+teapot#result-/);
    await page.locator('.result h2 a:focus').waitFor();
    expect(await focused(page)).toBe('Tea › The kettle');
  });

  test('Esc in the search field selects the query and keeps its results', async () => {
    const { url } = await filled();
    const { page } = await opened(`${url}/?query=kettle`);
    await page.keyboard.press('Escape');
    await page.keyboard.type('saucer');
    await page.waitForURL(`${url}/?query=saucer`);
    expect(await page.locator('#query').inputValue()).toBe('saucer');
    await page.getByRole('link', { name: 'Tea › The saucer' }).first().waitFor();
  });

  test('in a window of any height, half of it is left for results, and what has the focus is not covered', async () => {
    const { url } = await filled();
    const { page } = await opened(`${url}/?query=kettle&folder=guides`, { viewport: { width: 320, height: 256 } });
    await page.mouse.wheel(0, 400);
    const bottomOfBar = () => page.evaluate<number>('document.querySelector(".bar").getBoundingClientRect().bottom');
    expect(await bottomOfBar()).toBeLessThanOrEqual(128);
    for (const address of ['/?query=kettle', '/?query=kettle&folder=guides']) {
      await page.goto(url + address);
      await page.locator('.more').last().focus();
      for (let isInResults = true; isInResults; ) {
        const top = await page.evaluate<number>('document.activeElement.getBoundingClientRect().top');
        expect(top).toBeGreaterThanOrEqual(await bottomOfBar());
        await page.keyboard.press('Shift+Tab');
        isInResults = await page.evaluate('document.activeElement.closest(".result") !== null');
      }
    }
  });

  test('lines of text wrap, and code scrolls', async () => {
    const service = await serviceOf();
    const line = 'The carafe is on the table. '.repeat(20);
    await service.put('a.txt', line);
    await service.put('b.html', `<p>${line}</p>`);
    await service.put('c.md', `\`\`\`\n${line}\n\`\`\`\n`);
    const { page } = await opened(`${service.url}/?query=carafe`, { viewport: { width: 360, height: 800 } });
    const scrolling = `[...document.querySelectorAll('.result')].map((result) => {
      const pre = result.querySelector('pre');
      return [result.querySelector('.place bdi').textContent, pre.scrollWidth > pre.clientWidth];
    }).sort()`;
    expect(await page.evaluate(scrolling)).toEqual([
      ['a.txt', false],
      ['b.html', false],
      ['c.md', true],
    ]);
  });

  test('while the first answer is under way, the page says so', async () => {
    const { url } = await filled();
    const { page } = await opened(url);
    let answer = () => {};
    const waiting = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/page/results*', async (route) => {
      await waiting;
      await route.continue();
    });
    const shown = 'getComputedStyle(document.querySelector("#results"), "::before").content';
    expect(await page.evaluate(shown)).toBe('none');
    await page.locator('#query').fill('kettle');
    await page.locator('#results.stale').waitFor();
    expect(await page.evaluate(shown)).toBe('"Searching…"');
    answer();
    await page.getByRole('link', { name: 'Tea › The kettle' }).waitFor();
    expect(await page.evaluate(shown)).toBe('none');
  });

  test('neighbours unfold in place, until the file ends', async () => {
    const { url } = await filled();
    const { page } = await opened(`${url}/?query=teapot&folder=guides`);
    const result = page.locator('.result').first();
    await result.getByText('Show the passage before').click();
    await result.getByText('A kettle is for tea.').waitFor();
    await result.getByText('Show the passage after').click();
    await result.getByText('A saucer is for tea.').waitFor();
    expect(await result.getByText('Show the passage').count()).toBe(0);
    expect(await result.locator('.passage').allTextContents()).toEqual([
      expect.stringContaining('kettle'),
      expect.stringContaining('teapot'),
      expect.stringContaining('saucer'),
    ]);
    expect(page.url()).toBe(`${url}/?query=teapot&folder=guides`);
  });

  test('a query sent with Enter keeps its history entry; a query that is typed on replaces its own', async () => {
    const { url } = await filled();
    const { page } = await opened(url);
    await page.locator('#query').fill('kettle');
    await page.getByRole('link', { name: 'Tea › The kettle' }).waitFor();
    await page.keyboard.press('Enter');
    for (const query of ['teapot', 'saucer']) {
      await page.locator('#query').fill(query);
      await page.waitForURL(`${url}/?query=${query}`);
    }
    await page.goBack();
    await page.waitForURL(`${url}/?query=kettle`);
    await page.waitForFunction('document.querySelector("#query").value === "kettle"');
    await page.getByRole('link', { name: 'Tea › The kettle' }).waitFor();
    await page.locator('#query').fill('cup');
    await page.waitForURL(`${url}/?query=cup`);
    await page.goBack();
    await page.waitForURL(`${url}/?query=kettle`);
  });

  test('a query that is too long for an address is refused in one sentence', async () => {
    const { url } = await filled();
    const { page } = await opened(url);
    await page.locator('#query').fill('kettle '.repeat(10_000));
    await page.locator('#results > .notice').waitFor();
    const sentence = 'The URL and the headers must have at most 32 KB: shorten them.';
    expect(await page.locator('#results').textContent()).toBe(sentence);
  });

  test('text is laid out in the direction of its script, and code from the left', async () => {
    const service = await serviceOf();
    await service.put(
      'he.md',
      '# מפתחות\n\nהריצו `vault rotate` כדי להחליף! English.\n\nIn English.\n\n```\nvault --now\n```\n',
    );
    const { page } = await opened(`${service.url}/?query=${encodeURIComponent('מפתחות')}`);
    const directions = await page.evaluate(
      `['#query', 'h2', '.passage', '.passage code', '.passage pre'].map((selector) =>
        getComputedStyle(document.querySelector(selector)).direction)`,
    );
    expect(directions).toEqual(['rtl', 'rtl', 'rtl', 'ltr', 'ltr']);
    const paragraphs = await page.evaluate(
      `[...document.querySelectorAll('.passage p')].map((paragraph) => {
        const range = document.createRange();
        range.selectNodeContents(paragraph);
        const [text, whole] = [range.getBoundingClientRect(), paragraph.getBoundingClientRect()];
        return text.right === whole.right ? 'right' : text.left === whole.left ? 'left' : 'neither';
      })`,
    );
    expect(paragraphs).toEqual(['right', 'left']);
    await service.put('he.txt', 'הריצו כדי להחליף את הקומקום!\n');
    await page.goto(`${service.url}/?query=${encodeURIComponent('הקומקום')}`);
    const text = await page.evaluate(`(() => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector('.passage pre'));
      const { left, right } = range.getBoundingClientRect();
      return left > innerWidth - right;
    })()`);
    expect(text).toBe(true);
  });

  test('filters apply at once, and mistakes in them are shown', async () => {
    const { url } = await filled();
    const { page } = await opened(`${url}/?query=tea&path=mixed.md`);
    await page.getByLabel('Path').fill('');
    await page.getByLabel('Folder').selectOption('guides');
    await page.waitForURL(`${url}/?query=tea&folder=guides`);
    await page.getByRole('link', { name: 'Tea › The kettle' }).waitFor();
    await page.getByLabel('Tag', { exact: true }).fill('audience');
    await page.getByText('A tag is given as name=value or name!=value; this one is "audience".').waitFor();
    await page.getByLabel('Tag', { exact: true }).fill('audience=guest');
    // Where one is filled in, there is a field for another.
    await page.getByLabel('and tag').fill('audience!=host');
    await page.waitForURL(/tag=audience%3Dguest&tag=audience%21%3Dhost$/);
    await page.getByLabel('and tag').first().fill('');
    await page.getByLabel('One result per file').check();
    await page.getByRole('link', { name: 'guides/tea.md' }).waitFor();
    await page.getByLabel('Folder').selectOption('');
    await page.getByLabel('Tag', { exact: true }).fill('audience!=guest');
    await page.getByRole('link', { name: 'mixed.md' }).waitFor();
    expect(await page.getByRole('link', { name: 'guides/tea.md' }).count()).toBe(0);
    expect(page.url()).toBe(`${url}/?query=tea&tag=audience%21%3Dguest&consolidate=true`);
    await page.reload();
    expect(await page.getByLabel('Tag', { exact: true }).inputValue()).toBe('audience!=guest');
    expect(await page.getByRole('link', { name: 'guides/tea.md' }).count()).toBe(0);
  });

  test('the page says when the service has ended', async () => {
    const { url, close } = await filled();
    const { page } = await opened(`${url}/?query=kettle`);
    await close();
    await page.getByText('Show the passage after').first().click();
    await page.getByText('The service does not answer. Start it again: waymark ui').waitFor();
    await page.locator('#query').fill('saucer');
    await page.locator('#results > .notice').waitFor();
    expect(await page.locator('.result').count()).toBe(0);
  });

  test('no script from a file runs, and nothing is loaded from elsewhere', async () => {
    const { url } = await filled();
    const { page, asked } = await opened(`${url}/?query=samovar`);
    await page.getByText('The samovar is here.').waitFor();
    await page.getByRole('link', { name: 'Hostile', exact: true }).click();
    await page.locator('.marked').waitFor();
    expect(asked.filter((address) => !address.startsWith(`${url}/`))).toEqual([]);
  });

  test('works without its script', async () => {
    const { url } = await filled();
    const { page } = await opened(url, { javaScriptEnabled: false });
    await page.getByLabel('Search').first().fill('kettle');
    await page.keyboard.press('Enter');
    await page.waitForURL(/query=kettle/);
    await page.getByText('Show the passage after').first().click();
    await page.waitForURL(/\/file\?.*#passage-1$/);
  });

  test.each([
    { colorScheme: 'light', width: 1200 },
    { colorScheme: 'dark', width: 360 },
  ] as const)('axe-core finds nothing in $colorScheme, $width pixels wide', async ({ colorScheme, width }) => {
    const { url } = await filled();
    const { page } = await opened(url, { colorScheme, viewport: { width, height: 800 } });
    const addresses = ['/', '/?query=carafe&tag=a%3Db&path=*', '/?query=carafe', '/?query=tea&consolidate=true'];
    for (const address of [...addresses, '/?query=tea&tag=x', '/file?id=mixed.md&query=carafe', '/file?id=none']) {
      await page.goto(url + address);
      for (const summary of await page.locator('.result summary').all()) await summary.click();
      expect([address, await faultsOf(page)]).toEqual([address, []]);
    }
  });
});
