import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHashEmbedder } from 'waymark';
import { markdown, notebook } from '#src/formats/formats.js';
import { ParsePool } from '#src/indexing/parsing/parse-pool.js';
import { folderOf } from '../support/folder.js';

function poolOf(options?: {
  processes?: number;
  processorTime?: number;
  memory?: number;
  counter?: string;
}): ParsePool {
  const counter = options?.counter === undefined ? createHashEmbedder().counter : { module: options.counter };
  const pool = new ParsePool(
    { counter, cutting: { budget: 64, embedBreadcrumb: true }, maxTokens: 512, passagePrefix: '' },
    options,
  );
  onTestFinished(() => pool.close());
  return pool;
}

describe('the parse pool', () => {
  it('parses several texts at once and returns each its own result', async () => {
    const pool = poolOf({ processes: 2 });
    const parsed = await Promise.all(
      Array.from({ length: 20 }, (_, i) => pool.parse(`# Title ${i}\n\ntext`, { key: 'a.md', format: markdown })),
    );
    expect(parsed.map(({ title }) => title)).toEqual(Array.from({ length: 20 }, (_, i) => `Title ${i}`));
  });

  it('cuts a text at lines if it takes the parser far more memory than it may have, and ends no process', async () => {
    const source = 'kettle '.repeat(2_200_000);
    const text = JSON.stringify({ cells: [{ cell_type: 'code', source }] });
    const { warnings } = await poolOf({ memory: 256 }).parse(text, { key: 'a.ipynb', format: notebook });
    expect(warnings).toEqual([expect.stringMatching(/^The notebook is too (?:large|intricate) to be parsed/)]);
  });

  it('cuts a text at lines, with a warning, if it takes the parser too long, and parses the next text', async () => {
    const pool = poolOf({ processes: 2, processorTime: 1000 });
    const endless = { ...markdown, parser: new URL('data:text/javascript,export default () => { for (;;); }') };
    const texts = ['a\n=\n', '*a_ '].map((piece) => piece.repeat((32 << 10) / 4));
    const parsed = await Promise.all(texts.map((text) => pool.parse(text, { key: 'a.md', format: endless })));
    for (const [i, { passages, warnings, title }] of parsed.entries()) {
      expect([title, warnings]).toEqual([
        undefined,
        ['The markdown is too intricate to be parsed within 1 s: it was cut at lines, without headings.'],
      ]);
      expect(passages.length).toBeGreaterThan(10);
      expect([passages[0]?.start, passages.at(-1)?.end]).toEqual([0, texts[i]?.trimEnd().length]);
    }
    expect((await pool.parse('# Next\n\ntext', { key: 'a.md', format: markdown })).title).toBe('Next');
  });

  it.each(['process.abort()', `process.kill(process.pid, 'SIGTRAP')`])(
    'cuts a text at lines if V8 ends the process of its parser for want of memory: %s',
    async (end) => {
      const parser = new URL(`data:text/javascript,export default () => { ${end}; for (;;); }`);
      const { warnings, passages } = await poolOf().parse('Apples.', { key: 'a.md', format: { ...markdown, parser } });
      expect(warnings).toEqual([
        'The markdown is too large to be parsed with 2048 MB of memory: it was cut at lines, without headings.',
      ]);
      expect(passages.map(({ start, end }) => [start, end])).toEqual([[0, 7]]);
    },
  );

  it('parses a text again if its process is killed', async () => {
    const killed = JSON.stringify(path.join(folderOf(), 'killed'));
    const once = `if (!existsSync(${killed})) { writeFileSync(${killed}, ''); process.kill(process.pid, 'SIGKILL'); }`;
    const parse = `() => { ${once} return { passages: [], warnings: [], metadata: {}, tags: {}, title: 'Parsed' }; }`;
    const imported = `import { existsSync, writeFileSync } from 'node:fs';`;
    const parser = new URL(`data:text/javascript,${imported} export default ${parse}`);
    const { title } = await poolOf().parse('text', { key: 'a.md', format: { ...markdown, parser } });
    expect(title).toBe('Parsed');
  });

  it('fails with the reason if a parser ends its process again, and parses the next text', async () => {
    const pool = poolOf({ processes: 1 });
    const parser = new URL(`data:text/javascript,export default () => process.kill(process.pid, 'SIGKILL')`);
    await expect(pool.parse('text', { key: 'a.md', format: { ...markdown, parser } })).rejects.toMatchObject({
      code: 'PARSER_FAILED',
      message: expect.stringMatching(/^The text could not be parsed \(its process ended with SIGKILL\): /),
    });
    expect((await pool.parse('# Next', { key: 'a.md', format: markdown })).title).toBe('Next');
  });

  it('fails with the reason if a parser throws later than it answers, and parses the next text', async () => {
    const pool = poolOf({ processes: 1 });
    const thrown = 'setTimeout(() => { throw new Error("too late"); }); await new Promise(() => {});';
    const parser = new URL(`data:text/javascript,export default async () => { ${thrown} }`);
    await expect(pool.extract(new Uint8Array(1), { name: 'PDF', extractor: parser })).rejects.toMatchObject({
      code: 'PARSER_FAILED',
      message: expect.stringMatching(/^The text could not be parsed \(too late\): /),
    });
    expect((await pool.parse('# Next', { key: 'a.md', format: markdown })).title).toBe('Next');
  });

  it('fails with the reason if a process cannot start, and again for the next text', async () => {
    const pool = poolOf({ processes: 1, counter: 'data:text/javascript,throw new Error("no tokenizer")' });
    const failure = {
      code: 'PARSER_FAILED',
      message: expect.stringMatching(/^The text could not be parsed \(no tokenizer\): check the files of the model/),
    };
    await expect(pool.parse('text', { key: 'a.md', format: markdown })).rejects.toMatchObject(failure);
    await expect(pool.parse('text', { key: 'a.md', format: markdown })).rejects.toMatchObject(failure);
  });

  it('fails all texts with ENGINE_CLOSED once closed: parsed, waiting and new ones', async () => {
    const pool = poolOf({ processes: 2 });
    const ends = Promise.allSettled(
      Array.from({ length: 6 }, () => pool.parse('text', { key: 'a.md', format: markdown })),
    );
    await pool.close();
    for (const end of await ends) expect(end).toMatchObject({ reason: { code: 'ENGINE_CLOSED' } });
    await expect(pool.parse('text', { key: 'a.md', format: markdown })).rejects.toMatchObject({
      code: 'ENGINE_CLOSED',
    });
  });
});
