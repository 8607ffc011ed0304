import path from 'node:path';
import { createHashEmbedder, type Embedder, openEngine, openHost } from 'waymark';
import { openSqliteStorage } from '#src/sqlite/open-storage.js';
import { folderOf } from './folder.js';
import { newBot } from './new-bot.js';
import { docxOf, paragraph, pdfOf } from './office-files.js';
import { until } from './until.js';

/** A database with bots of each kind. */
export interface MixedBots {
  readonly database: string;
  /** The id of the bot with uploads, `support` in the workspace `acme`. */
  readonly uploads: string;
  /** An access token of it. */
  readonly token: string;
}

const FOLDER = {
  'docs/keys.md': '---\ntags: [a]\n---\n\n# Keys\n\nRotate the keys twice.\n\n## Locks\n\nLocks need oil in winter.\n',
  'docs/table.csv': 'name,price\npump,10\nlamp,20\n',
  'docs/page.html': '<h1>Doors</h1><p>A door of <b>oak</b> is heavy.</p>',
  'docs/more/code.md': '# Code\n\n```js\nconst agreed = retries + 1;\n```\n\nAgreed retries are counted.\n',
};

/**
 * Makes a database with a bot of a folder, one with uploads in every state, one without files and without a model. Each
 * file has passages that a parser or a caller has cut.
 */
export async function mixedBots(model: Embedder = createHashEmbedder()): Promise<MixedBots> {
  const folder = folderOf(FOLDER);
  const database = path.join(folder, '.waymark', 'waymark.db');
  const engine = await openEngine({ database, model });
  await engine.addFolder(path.join(folder, 'docs'), { name: 'docs', ignore: ['*.tmp'], tags: { from: 'folder' } });
  await engine.indexFolders();
  await engine.indexFile('given/note.md', '# Note\n\nA note of a caller.\n');
  await engine.close();

  const host = await openHost({ database, model });
  const { files, workspaceId, botId } = await newBot(host);
  await (await host.workspace(workspaceId)).createBot({ name: 'empty', tags: { kind: 'new' } });
  const { token } = await host.createToken({ workspaceId, name: 'ci', role: 'member', bots: [botId] });
  const { knowledgeBase } = await files.createKnowledgeBase({ name: 'Manuals', tags: { a: '1' } });
  const upload = async (key: string, content: string | Uint8Array, rest: object = {}) => {
    const { file } = await files.uploadFile({ key, content, index: true, ...rest });
    await until(async () => (await files.getFile({ id: file.id })).file.status !== 'indexing_pending');
    return file;
  };
  await upload('pears.md', '# Fruit\n\nRed apples.\n\n## Pears\n\nGreen pears here.\n', {
    ...{ tags: { base: knowledgeBase.id }, metadata: { author: ['Ann'] }, accessPolicies: ['public_content'] },
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await upload('report.pdf', pdfOf([['The pump hums at night.', 12, 700]]));
  await upload('letter.docx', docxOf(paragraph('A letter about lamps.')));
  await upload('picture.png', 'no picture');
  await upload('unsearched.md', 'Nobody finds this.', { index: false });
  const { id } = await upload('cut.md', 'What was uploaded.');
  const passages = [{ content: 'First cut.', pageNumber: 3 }, { content: 'Second cut.' }, { content: 'First cut.' }];
  await files.setFilePassages({ id, passages });
  await files.upsertFile({ key: 'announced.md', size: 10 });
  await host.close();
  await addPending(database, botId);
  return { database, uploads: botId, token };
}

/** A file that was searched, and whose new content waits to be indexed. */
async function addPending(database: string, bot: string): Promise<void> {
  const storage = openSqliteStorage(database, { create: false, warn: () => {} });
  const records = await storage.fileRecords(bot);
  for (const key of ['letter.docx', 'new.md']) {
    const content = await storage.contents.stage([Buffer.from('# Waiting\n\nA heron waits for fish.\n')], bot);
    const file = { key, contentType: 'text/markdown', size: content.size, index: true, accessPolicies: [] };
    await records.upsert({ ...file, tags: {}, metadata: {}, expiresAt: undefined }, content);
  }
  storage.close();
}
