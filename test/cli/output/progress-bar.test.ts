import { expect, onTestFinished, test, vi } from 'vitest';
import { withProgressBar } from '#src/cli/actions/progress.js';
import { layoutOf } from '#src/cli/output/progress-bar.js';

const count = '{value}/{total}';

test.each([
  [80, 100, { format: `Embedding {bar} ${count} passages, {rate}/s, {remaining}`, barsize: 30 }],
  [60, 1570, { format: `Embedding {bar} ${count} passages, {rate}/s, {remaining}`, barsize: 8 }],
  [50, 1570, { format: `Embedding {bar} ${count}, {rate}/s, {remaining}`, barsize: 7 }],
  [40, 1570, { format: `Embedding {bar} ${count}, {remaining}`, barsize: 5 }],
  [30, 1570, { format: `${count}, {remaining}`, barsize: 4 }],
  [200, 1, { format: `Embedding {bar} ${count} passage, {rate}/s, {remaining}`, barsize: 30 }],
])('at %i columns, progress of %i passages says as much as fits', (columns, total, layout) => {
  expect(layoutOf('Embedding', { total, noun: 'passage', columns })).toEqual(layout);
});

test('Ctrl-C restores the cursor of the terminal at once, because a second one ends the process', async () => {
  const written: string[] = [];
  const { isTTY } = process.stderr;
  process.stderr.isTTY = true;
  vi.stubEnv('TERM', 'xterm');
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  onTestFinished(() => {
    write.mockRestore();
    vi.unstubAllEnvs();
    process.stderr.isTTY = isTTY;
  });
  await withProgressBar(async (bar, signal) => {
    bar.update({ verb: 'Reading', noun: 'file', done: 0, total: 2 });
    expect(written.join('')).toContain('\x1b[?25l');
    process.emit('SIGINT', 'SIGINT');
    expect([signal.aborted, written.join('').includes('\x1b[?25h')]).toEqual([true, true]);
  });
});
