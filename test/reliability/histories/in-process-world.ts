import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { vi } from 'vitest';
import { createClient, type Host, openEngine, openHost, type SearchEngine } from 'waymark';
import { createServer } from '#src/http/create-server.js';
import { until } from '../../support/until.js';
import { ask } from './ask.js';
import { moodyEmbedder } from './embedder.js';
import type { Mood, Slot, Via } from './operation.js';
import type { Announced, Announcement, Files, World } from './world.js';

/** Where a world is, and what may happen to it. */
export interface Place {
  readonly folder: string;
  /** The folder to be indexed. Defaults to one in `folder`. */
  readonly docs?: string;
  /** Whether its clock jumps: the dates of this process are set by hand. */
  readonly jumps?: boolean;
  /** Fills the disk of the database, and frees it. */
  readonly fill?: (full: boolean) => void;
  /** Whether the database is there already, with its bots. */
  readonly exists?: boolean;
}

interface Opened {
  readonly engine: SearchEngine;
  readonly host: Host;
  readonly server: Awaited<ReturnType<typeof createServer>>;
  readonly url: string;
  readonly token: string;
}

/** An engine, a host and a service in this process, each with a connection of its own to the database. */
export class InProcessWorld implements World {
  readonly docs: string;
  readonly padded: boolean;
  readonly announced = new Map<Slot, Announced>();
  readonly database: string;
  readonly #moody = moodyEmbedder();
  readonly #fill: ((full: boolean) => void) | undefined;
  #opened!: Opened;
  #failing = false;
  #full = false;

  static async open(place: Place): Promise<InProcessWorld> {
    const world = new InProcessWorld(place);
    if (place.jumps) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    world.#opened = await world.#open();
    if (!place.exists) await world.createBot();
    return world;
  }

  private constructor({ folder, docs = path.join(folder, 'docs'), jumps = false, fill }: Place) {
    this.docs = docs;
    this.database = path.join(folder, 'waymark.db');
    this.padded = jumps;
    this.#fill = fill;
    mkdirSync(this.docs, { recursive: true });
  }

  get excused(): ReadonlySet<string> {
    return new Set([
      ...(this.#failing ? ['EMBEDDER_FAILED', 'SERVER_FAILED'] : []),
      ...(this.#full ? ['DISK_FULL', 'SERVER_FAILED'] : []),
    ]);
  }

  get host(): Host {
    return this.#opened.host;
  }

  library(): SearchEngine {
    return this.#opened.engine;
  }

  async files(via: Via, bot: 'main' | 'other'): Promise<Files> {
    const { host, url, token } = this.#opened;
    const name = bot === 'main' ? 'default' : bot;
    if (via === 'host') return host.bot(name);
    return createClient({ apiUrl: url, token, botId: await this.#idOf(name), retries: 0 });
  }

  async announce(via: Via, bot: 'main' | 'other', file: Announcement): Promise<string> {
    const { host, url, token } = this.#opened;
    const name = bot === 'main' ? 'default' : bot;
    if (via === 'host') return (await (await host.bot(name)).upsertFile(file)).file.uploadUrl;
    const headers = { authorization: `Bearer ${token}`, 'x-bot-id': await this.#idOf(name) };
    const body = JSON.stringify(file);
    const { file: announced } = await ask(new URL('/v1/files', url), { headers, body });
    return announced.uploadUrl;
  }

  async put({ via, uploadUrl, text }: Announced): Promise<void> {
    const { host, url } = this.#opened;
    if (via === 'host') {
      await host.receive(path.posix.basename(uploadUrl), Buffer.from(text));
      return;
    }
    // The service has another port since it was started again.
    await ask(new URL(new URL(uploadUrl).pathname, url), { headers: {}, body: text });
  }

  async createBot(): Promise<void> {
    await (await this.host.workspace()).createBot({ name: 'other' });
  }

  async deleteBot(): Promise<void> {
    await (await this.host.workspace()).deleteBot({ id: 'other' });
  }

  now(): number {
    return Date.now();
  }

  jump(seconds: number): void {
    vi.setSystemTime(Date.now() + seconds * 1000);
  }

  async be(mood: Mood): Promise<void> {
    // An upload that failed with the mood before may be answered after it.
    this.#failing ||= mood.failures > 0;
    this.#moody.be(mood);
  }

  fill(full: boolean): void {
    if (full === this.#full) return;
    this.#fill?.(full);
    this.#full = full;
  }

  async kill(): Promise<void> {}

  async pause(): Promise<void> {}

  async restart(): Promise<void> {
    await this.#close();
    // Opening creates a token, which needs space on the disk.
    this.fill(false);
    this.#opened = await this.#open();
  }

  async drain(): Promise<void> {
    await until(() => this.host.status().pending === 0);
  }

  async close(): Promise<void> {
    await this.#close();
    vi.useRealTimers();
  }

  async #idOf(name: string): Promise<string> {
    return (await (await this.host.workspace()).getBot({ id: name })).bot.id;
  }

  async #open(): Promise<Opened> {
    const options = { database: this.database, model: this.#moody.embedder };
    const engine = await openEngine(options);
    const host = await openHost(options);
    const [workspace] = await host.listWorkspaces();
    const workspaceId = workspace?.id ?? '';
    const { token } = await host.createToken({ workspaceId, name: 'test', role: 'admin' });
    const server = await createServer(host, { requestsPerMinute: 10_000_000 });
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    return { engine, host, server, url, token };
  }

  async #close(): Promise<void> {
    const { engine, host, server } = this.#opened;
    await server.close();
    await Promise.all([engine.close(), host.close()]);
  }
}
