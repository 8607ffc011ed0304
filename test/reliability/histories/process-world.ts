import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createClient } from 'waymark';
import { until } from '../../support/until.js';
import { ask } from './ask.js';
import type { Mood, Slot, Via, Whom } from './operation.js';
import { Party } from './party.js';
import type { Announced, Announcement, Files, Library, World } from './world.js';

/** Turns of the event loop for which a process is stopped. */
const PAUSE = 3000;

/** The library in one process and the service in another, over one database; either may be killed or paused. */
export class ProcessWorld implements World {
  readonly docs: string;
  readonly padded = false;
  readonly announced = new Map<Slot, Announced>();
  readonly #library: Party;
  readonly #service: Party;
  #failing = false;

  static async open(folder: string): Promise<ProcessWorld> {
    const world = new ProcessWorld(folder);
    await Promise.all([world.#library.ready, world.#service.ready]);
    await world.createBot();
    return world;
  }

  private constructor(folder: string) {
    this.docs = path.join(folder, 'docs');
    mkdirSync(this.docs, { recursive: true });
    const database = path.join(folder, 'waymark.db');
    this.#library = new Party('library', database);
    this.#service = new Party('service', database);
  }

  get excused(): ReadonlySet<string> {
    return new Set(['CONNECTION_FAILED', 'KILLED', ...(this.#failing ? ['EMBEDDER_FAILED', 'SERVER_FAILED'] : [])]);
  }

  library(): Library {
    const call =
      (name: string) =>
      (...given: unknown[]) =>
        this.#library.call(name, ...given);
    return {
      indexFile: call('indexFile'),
      removeFile: call('removeFile'),
      indexFolder: call('indexFolder'),
      searchFiles: call('searchFiles'),
    };
  }

  async files(_: Via, bot: 'main' | 'other'): Promise<Files> {
    const { url, token } = await this.#service.ready;
    return createClient({ apiUrl: url, token, botId: await this.#idOf(bot), retries: 0 });
  }

  async announce(_: Via, bot: 'main' | 'other', file: Announcement): Promise<string> {
    const { url, token } = await this.#service.ready;
    const headers = { authorization: `Bearer ${token}`, 'x-bot-id': await this.#idOf(bot) };
    const answer = await ask(new URL('/v1/files', url), { headers, body: JSON.stringify(file) });
    return answer.file.uploadUrl;
  }

  async put({ uploadUrl, text }: Announced): Promise<void> {
    // Another service may listen on another port by now.
    const { url } = await this.#service.ready;
    await ask(new URL(new URL(uploadUrl).pathname, url), { headers: {}, body: text });
  }

  createBot(): Promise<void> {
    return this.#service.call('createBot');
  }

  deleteBot(): Promise<void> {
    return this.#service.call('deleteBot');
  }

  now(): number {
    return Date.now();
  }

  jump(): void {}

  async be(mood: Mood): Promise<void> {
    this.#failing ||= mood.failures > 0;
    await Promise.all([this.#library.call('be', mood), this.#service.call('be', mood)]);
  }

  fill(): void {}

  kill(whom: Whom): Promise<void> {
    return (whom === 'library' ? this.#library : this.#service).kill();
  }

  pause(whom: Whom): Promise<void> {
    return (whom === 'library' ? this.#library : this.#service).pause(PAUSE);
  }

  async restart(): Promise<void> {
    await Promise.all([this.#library.kill(), this.#service.kill()]);
  }

  async drain(): Promise<void> {
    await until(async () => (await this.#service.call('pending')) === 0);
  }

  async close(): Promise<void> {
    await Promise.all([this.#library.end(), this.#service.end()]);
  }

  #idOf(bot: 'main' | 'other'): Promise<string> {
    return this.#service.call('idOf', bot === 'main' ? 'default' : bot);
  }
}
