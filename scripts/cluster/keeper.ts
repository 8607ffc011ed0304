import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { type Cluster, type ClusterOptions, startCluster } from '../../test/cluster/start.js';
import { type Request, remove, type Status, socketOf } from './control.js';

/** The first message to a keeper: it starts the cluster. */
export interface Task {
  /** Of the cluster; everything in it is removed when the cluster is stopped. */
  readonly folder: string;
  readonly options: ClusterOptions;
}

/** The only answer of a keeper. */
export type Answer = { readonly status: Status } | { readonly error: string };

/*
 * A process that owns a cluster, because nodes end with the process that started them. It ends on a request over its
 * socket, or on a signal. Nothing relies on its process id, which may belong to another process later.
 */
process.once('message', (task: Task) => void keep(task));

async function keep({ folder, options }: Task): Promise<void> {
  // The command that waits for the cluster was interrupted.
  const interrupted = () => end(folder);
  process.once('disconnect', interrupted);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end(folder));
  try {
    const cluster = await startCluster({ ...options, folder: path.join(folder, 'data') });
    const server = createServer({ allowHalfOpen: true }, (socket) => void answer(socket, { cluster, folder }));
    server.listen(socketOf(folder), () => {
      process.off('disconnect', interrupted);
      say({ status: statusOf(cluster) });
    });
  } catch (error) {
    remove(folder);
    say({ error: (error as Error).message });
  }
}

async function answer(socket: Socket, { cluster, folder }: { cluster: Cluster; folder: string }): Promise<void> {
  socket.on('error', () => socket.destroy());
  const [data] = (await once(socket, 'data')) as [Buffer];
  const request = String(data) as Request;
  const status = statusOf(cluster);
  if (request === 'stop') await cluster.stop();
  socket.end(JSON.stringify(status), () => {
    if (request === 'stop') end(folder);
  });
}

function statusOf(cluster: Cluster): Status {
  const { hosts, folder } = cluster;
  // A node may have ended by itself: its log says why.
  const memory = hosts.map((_, node) => (cluster.isAlive(node) ? cluster.memory(node) : 0));
  return { hosts, folder, memory };
}

/** Ends this process, and the nodes with it. */
function end(folder: string): void {
  remove(folder);
  process.exit();
}

function say(answer: Answer): void {
  process.send?.(answer, () => process.disconnect());
}
