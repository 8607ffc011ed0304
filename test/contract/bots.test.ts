import { expect, test } from 'vitest';
import { engineOf } from '../support/engine.js';

test('a bot name has 1 to 100 letters, digits and some marks, starting with a letter or digit', async () => {
  const engine = await engineOf();
  for (const name of ['a', 'support', 'Hilfe für Kunden', 'v2.1_a-b', '日本', 'हिन्दी', 'Cafe\u0301', 'a'.repeat(100)]) {
    expect((await engine.createBot({ name })).bot.name).toBe(name);
  }
  for (const name of ['', ' a', '-a', '.', '\u0301a', 'a/b', 'a\n', 'a'.repeat(101)]) {
    await expect(engine.createBot({ name })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: `name must be 1 to 100 letters, digits, spaces, dots, dashes or underscores, starting with a letter or digit; it is ${name.length > 80 ? `"${name.slice(0, 76)}…` : JSON.stringify(name)}.`,
    });
  }
});
