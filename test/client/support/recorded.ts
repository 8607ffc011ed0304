/** Answers of a server that keeps the contract. */

export const FILE = {
  id: 'file_01K86HD0D5T3HFCGBEKQJFNKAD',
  botId: 'bot-1',
  key: 'guides/keys.md',
  url: 'http://127.0.0.1:7333/v1/files/file_01K86HD0D5T3HFCGBEKQJFNKAD/content',
  size: 12,
  contentType: 'text/markdown',
  tags: { kind: 'guide' },
  metadata: { title: 'Keys' },
  createdAt: '2025-10-22T12:00:00.000Z',
  updatedAt: '2025-10-22T12:00:01.000Z',
  accessPolicies: [],
  index: true,
  status: 'indexing_completed',
  owner: { type: 'bot', id: 'bot-1' },
};

export const FOUND = {
  content: 'Rotate the keys.',
  score: 0.75,
  meta: { type: 'chunk', subtype: 'paragraph', position: 0 },
  file: {
    id: FILE.id,
    key: FILE.key,
    contentType: FILE.contentType,
    metadata: FILE.metadata,
    tags: FILE.tags,
    createdAt: FILE.createdAt,
    updatedAt: FILE.updatedAt,
  },
};

export const PASSAGE = {
  id: '5f0c2f1e-7b0a-4c6e-9a52-0d6f3f1f6f10',
  content: 'Rotate the keys.',
  meta: { type: 'chunk', subtype: 'paragraph', position: 0 },
};

export const KNOWLEDGE_BASE = {
  id: 'kb_01K86HD0D5T3HFCGBEKQJFNKAD',
  name: 'Guides',
  tags: {},
  createdAt: '2025-10-22T12:00:00.000Z',
};

export const BOT_SUMMARY = {
  id: '0b9f8a52-3b0e-4a57-8c0e-7a3d1f0f2c11',
  name: 'default',
  createdAt: '2025-10-22T12:00:00.000Z',
  updatedAt: '2025-10-22T12:00:00.000Z',
  tags: {},
  type: 'studio',
};

export const BOT = {
  ...BOT_SUMMARY,
  signingSecret: '',
  integrations: {},
  plugins: {},
  user: { tags: {} },
  conversation: { tags: {} },
  message: { tags: {} },
  states: {},
  configuration: { data: {}, schema: {} },
  events: {},
  recurringEvents: {},
  subscriptions: { events: {} },
  actions: {},
  dev: false,
  secrets: [],
  alwaysAlive: false,
  status: 'active',
  medias: [],
};

/** The contract's error body. */
export function refused(
  code: number,
  { type, message, metadata }: { type: string; message: string; metadata?: object },
) {
  return { status: code, body: { id: 'err_1', code, type, message, ...(metadata && { metadata }) } };
}
