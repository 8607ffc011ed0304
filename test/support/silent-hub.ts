import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Sqlite from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { folderOf } from './folder.js';

/** Makes a database name a model of a hub that never answers. Calls `onAsked` when the hub is asked for it. */
export async function atSilentHub(database: string, onAsked: () => void): Promise<void> {
  const server = createServer(onAsked);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = new Sqlite(database);
  const source = JSON.stringify({ hub: 'owner/model', host, cache: folderOf() });
  connection.prepare(`UPDATE models SET source = ?`).run(source);
  connection.close();
}
