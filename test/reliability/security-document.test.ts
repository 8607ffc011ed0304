import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCUMENT = readFileSync(path.join(ROOT, 'docs', 'security.md'), 'utf8');

/** The text of a section, up to the next heading of its level. */
function sectionOf(heading: string): string {
  const [, section = ''] = DOCUMENT.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return own;
}

/** The cells of the rows below the header of a section's table. */
function rowsOf(heading: string): string[][] {
  const lines = sectionOf(heading)
    .split('\n')
    .filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

test('every claim of docs/security.md names a test that exists', () => {
  const claims = sectionOf('What is protected').split('\n- ').slice(1);
  expect(claims.length).toBeGreaterThan(10);
  for (const claim of claims) {
    const tests = [...claim.matchAll(/`(test\/[^`]+\.test\.ts)`/g)].map(([, file = '']) => file);
    expect([claim, tests.length]).not.toEqual([claim, 0]);
    expect(tests.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  }
});

test('the versions that docs/security.md compared with advisories are installed', () => {
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'));
  const memory = new Database(':memory:');
  const sqlite = memory.prepare('SELECT sqlite_version()').pluck().get();
  memory.close();
  const rows = rowsOf('Dependencies');
  expect(rows.length).toBeGreaterThan(5);
  for (const [cell = '', , versions = ''] of rows) {
    const names = cell.replace(/ \(.*\)$/, '').split(', ');
    const installed = names[0] === 'SQLite' ? [sqlite] : names.map((name) => packages[`node_modules/${name}`]?.version);
    expect([cell, versions.split(', ')]).toEqual([cell, installed]);
  }
});
