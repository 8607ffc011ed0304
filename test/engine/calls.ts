import type { Abortable, SearchEngine } from 'waymark';

export const PASSAGES = {
  key: 'a.md',
  contentType: 'text/markdown',
  tags: {},
  metadata: {},
  passages: [{ content: 'pears', subtype: 'paragraph' as const, page: undefined }],
};

/** Each call of an engine, by its name. */
export const CALLS: Record<string, (engine: SearchEngine, options: Abortable) => Promise<unknown>> = {
  indexFolder: (engine, options) => engine.indexFolder('.', options),
  indexFolders: (engine, options) => engine.indexFolders(options),
  addFolder: (engine, options) => engine.addFolder('.', { name: 'a', ...options }),
  listFolders: (engine, options) => engine.listFolders(options),
  dropFolder: (engine, options) => engine.dropFolder('docs', options),
  indexFile: (engine, options) => engine.indexFile('a.md', 'pears', options),
  removeFile: (engine, options) => engine.removeFile('a.md', options),
  removeAll: (engine, options) => engine.removeAll(options),
  setPassages: (engine, options) => engine.setPassages(PASSAGES, options),
  passagesOf: (engine, options) => engine.passagesOf('a', { from: 0, to: 1, ...options }),
  hasFile: (engine, options) => engine.hasFile('a.md', options),
  pathOfFile: (engine, options) => engine.pathOfFile('a.md', options),
  readFile: (engine, options) => engine.readFile('a.md', options),
  keys: (engine, options) => engine.keys([], options),
  watch: (engine, options) => engine.watch(options),
  changes: (engine, options) => engine.changes(options),
  searchFiles: (engine, options) => engine.searchFiles({ query: 'apples' }, options),
  search: (engine, options) => engine.search('apples', options),
  similar: (engine, options) => engine.similar('passage', options),
  embeddedPassages: (engine, options) => engine.embeddedPassages(options),
  coverage: (engine, options) => engine.coverage(options),
  highlight: (engine, options) => engine.highlight('apples', 'apples', options),
  status: (engine, options) => engine.status(options),
  listBots: (engine, options) => engine.listBots({}, options),
  getBot: (engine, options) => engine.getBot(undefined, options),
  createBot: (engine, options) => engine.createBot({ name: 'support' }, options),
};
