import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { faultsOf, isMissing, opensPages, withChromium } from '../support/chromium.js';
import { waymark } from '../support/command.js';
import { createIndexedFolder } from './documentation.js';

const opened = opensPages();

const HOSTILE = `# Samovar </script><script>alert(1)</script>

The samovar \u0007\u202e is here. </script><script>alert(2)</script> <!-- <img src="https://evil.example/a.png">
`;

const FILES = {
  'docs/guides/tea.md': '# Tea\n\nThe kettle boils the water.\n\n## Cups\n\nA saucer is below each cup.\n',
  'docs/guides/coffee.md': '# Coffee\n\nThe mill grinds the beans.\n',
  'docs/reference/hostile.md': HOSTILE,
};

async function mapOf(files: Readonly<Record<string, string>> = FILES): Promise<string> {
  const cwd = await createIndexedFolder(files);
  const { code, stderr } = await waymark(['map', '--query', 'boiling water', '--query', 'cup'], { cwd });
  if (code !== 0) throw new Error(stderr);
  return pathToFileURL(path.join(cwd, 'map.html')).href;
}

describe.skipIf(isMissing)(`a map ${withChromium}`, () => {
  test('lists the hits of each query; choosing one shows its text', async () => {
    const { page } = await opened(await mapOf());
    const [water, cup] = await page.locator('#queries section').all();
    expect(await water?.locator('h2').textContent()).toBe('boiling water');
    expect(await water?.locator('button').first().textContent()).toMatch(/^A1 Teaguides\/tea\.md:3[01]\.\d\d$/);
    expect(await cup?.locator('button').first().textContent()).toMatch(/^B1 Tea › Cupsguides\/tea\.md:7[01]\.\d\d$/);
    await cup?.locator('button').first().click();
    expect(await page.locator('#chosen').textContent()).toBe('Tea › Cupsguides/tea.md:7A saucer is below each cup.');
  });

  test('words light up the passages that have all of them, in text or breadcrumb, in any case', async () => {
    const { page } = await opened(await mapOf());
    const rows = [
      ['KETTLE wat', ['Tea']],
      ['tea', ['Tea', 'Tea › Cups']],
      ['kettle beans', []],
      [' ', []],
    ] as const;
    for (const [words, breadcrumbs] of rows) {
      await page.getByLabel('Words').fill(words);
      expect([words, await page.locator('#found strong').allTextContents()]).toEqual([words, breadcrumbs]);
    }
    await page.getByLabel('Words').fill('tea');
    expect(await page.locator('#count').textContent()).toBe('2 passages have these words');
  });

  test('folders show their number of passages; a hidden one is shown again if a passage of it is chosen', async () => {
    const { page } = await opened(await mapOf());
    expect(await page.locator('#folders label').allTextContents()).toEqual(['guides/3', 'reference/1']);
    const before = await page.locator('canvas').screenshot();
    const guides = page.getByLabel('guides/');
    await guides.uncheck();
    await page.evaluate('new Promise(requestAnimationFrame)');
    expect((await page.locator('canvas').screenshot()).equals(before)).toBe(false);
    await page.locator('#queries button').first().click();
    expect(await guides.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'None' }).click();
    expect(await page.locator('#folders input:checked').count()).toBe(0);
    await page.getByRole('button', { name: 'All' }).click();
    expect(await page.locator('#folders input:checked').count()).toBe(2);
  });

  test('pointing at a passage shows its breadcrumb, a click selects it, and dragging moves the map', async () => {
    // One passage, which is in the middle.
    const { page } = await opened(await mapOf({ 'docs/a.md': '# Alone\n\nThe only passage.\n' }));
    const box = await page.locator('canvas').boundingBox();
    if (!box) throw new Error('the map is not shown');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    expect(await page.locator('#hover').textContent()).toBe('Alonea.md:3');
    await page.mouse.down();
    await page.mouse.move(x + 100, y + 50);
    await page.mouse.up();
    await page.mouse.move(x, y);
    expect(await page.locator('#hover').isVisible()).toBe(false);
    await page.mouse.click(x + 100, y + 50);
    expect(await page.locator('#chosen').textContent()).toBe('Alonea.md:3The only passage.');
  });

  test('arrow keys reach every passage, Esc clears the selection', async () => {
    const { page } = await opened(await mapOf());
    await page.locator('canvas').focus();
    const seen = new Set<string | null>();
    for (const key of ['Up', 'Left', 'Down', 'Right', 'Down', 'Left', 'Up', 'Up', 'Right', 'Right', 'Down', 'Down']) {
      await page.keyboard.press(`Arrow${key}`);
      seen.add(await page.locator('#chosen .place').textContent());
    }
    expect([...seen].sort()).toEqual([
      'guides/coffee.md:3',
      'guides/tea.md:3',
      'guides/tea.md:7',
      'reference/hostile.md:3',
    ]);
    await page.keyboard.press('+');
    await page.keyboard.press('Escape');
    expect(await page.locator('#chosen').textContent()).toBe('');
  });

  test('no script from a file runs, and nothing is loaded', async () => {
    const address = await mapOf();
    const { page, asked } = await opened(address, { offline: true });
    await page.getByLabel('Words').fill('samovar');
    await page.locator('#found button').click();
    expect(await page.locator('#chosen strong').textContent()).toContain('Samovar');
    expect(await page.locator('#chosen .text').textContent()).toContain('</script><script>alert(2)</script>');
    expect(asked).toEqual([address]);
    expect(readFileSync(new URL(address), 'utf8').match(/<script/g)?.length).toBe(2);
  });

  test.each([
    { colorScheme: 'light', width: 1200 },
    { colorScheme: 'dark', width: 360 },
  ] as const)('axe-core finds nothing in $colorScheme, $width pixels wide', async ({ colorScheme, width }) => {
    const { page } = await opened(await mapOf(), { colorScheme, viewport: { width, height: 800 } });
    await page.getByLabel('Words').fill('tea');
    await page.locator('#found button').first().click();
    expect(await faultsOf(page)).toEqual([]);
  });
});
