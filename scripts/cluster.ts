// Starts and stops Weaviate clusters on this machine, to try things with: npm run cluster -- --help
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { NoGo, serverBinary } from '../test/cluster/build.js';
import { ask, folderOf, ids, newFolder, remove, type Status } from './cluster/control.js';
import type { Answer, Task } from './cluster/keeper.js';

const KEEPER = fileURLToPath(new URL('cluster/keeper.ts', import.meta.url));

interface ShowOptions {
  /** Whether to print JSON. */
  readonly json?: true;
}

interface StartOptions extends ShowOptions {
  readonly nodes: number;
  readonly apiKey?: string;
}

const JSON_OPTION = ['--json', 'print JSON: ids, hosts, memory in bytes, and the folder of data and logs'] as const;

const program = new Command('npm run cluster --').description(
  'Weaviate clusters on this machine, to try Waymark with. They run until they are stopped, and any number at once.\n' +
    'Nodes listen for gRPC and for each other on all addresses of the machine: use an API key in an open network.',
);

program
  .command('start')
  .description('start a cluster, and print its id and hosts; the server is built with Go the first time (minutes)')
  .option('--nodes <count>', 'number of nodes', countOf, 3)
  .option('--api-key <key>', 'what clients must send; without one, anybody may do everything')
  .option(...JSON_OPTION)
  .action(start);

program
  .command('stop <id>')
  .description('stop a cluster and remove its data')
  .action(async (id: string) => {
    const folder = folderOf(id);
    if (folder === undefined) return fail(unknown(id));
    await ask(folder, 'stop');
    remove(folder);
    console.log(`Stopped ${id} and removed its data.`);
  });

program
  .command('status [id]')
  .description('show the clusters that were started and not stopped, or one of them')
  .option(...JSON_OPTION)
  .action(async (id: string | undefined, { json }: ShowOptions) => {
    if (id !== undefined && folderOf(id) === undefined) return fail(unknown(id));
    const shown = id === undefined ? ids() : [id];
    if (json) {
      const all = shown.map(async (each) => ({ id: each, ...(await ask(folderOf(each) as string, 'status')) }));
      console.log(JSON.stringify(await Promise.all(all)));
      return;
    }
    if (shown.length === 0) console.log('No cluster runs: npm run cluster -- start');
    for (const each of shown) print(each, await ask(folderOf(each) as string, 'status'));
  });

await program.parseAsync();

async function start({ nodes, apiKey, json }: StartOptions): Promise<void> {
  try {
    await serverBinary();
  } catch (error) {
    if (error instanceof NoGo) return fail(error.message);
    throw error;
  }
  const folder = newFolder();
  const keeper = startKeeper(folder);
  const task: Task = { folder, options: { nodes, ...(apiKey !== undefined && { apiKey }) } };
  keeper.send(task);
  const answered = once(keeper, 'message') as Promise<[Answer]>;
  const [answer] = await Promise.race([answered, once(keeper, 'exit').then((): [Answer] => [{ error: 'It ended.' }])]);
  keeper.unref();
  if ('error' in answer) return fail(`The cluster did not start. ${answer.error}`);
  const id = path.basename(folder);
  if (json) {
    console.log(JSON.stringify({ id, ...answer.status }));
    return;
  }
  print(id, answer.status);
  const hosts = answer.status.hosts.map(({ http, grpc }) => `http://${http}?grpc=${grpc}`);
  console.log(`\nWAYMARK_CLUSTER=${hosts.join(',')}`);
  console.log(`To stop it: npm run cluster -- stop ${id}`);
}

/** Starts a process that goes on when this one and its terminal end. */
function startKeeper(folder: string): ChildProcess {
  const log = openSync(path.join(folder, 'keeper.log'), 'a');
  const keeper = spawn(process.execPath, ['--import', 'tsx', KEEPER], {
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  return keeper;
}

function print(id: string, status: Status | undefined): void {
  if (!status) {
    console.log(`${id}  has ended by itself. To remove its data: npm run cluster -- stop ${id}`);
    return;
  }
  console.log(`${id}  data and logs in ${status.folder}`);
  for (const [node, { http, grpc }] of status.hosts.entries()) {
    const bytes = status.memory[node] ?? 0;
    const state = bytes === 0 ? `has ended: see node${node + 1}.log` : `${Math.round(bytes / 1e6)} MB`;
    console.log(`  node${node + 1}  http://${http}  gRPC port ${grpc}  ${state}`);
  }
}

function unknown(id: string): string {
  return `There is no cluster ${id}. ${ids().length === 0 ? 'None runs.' : `There are: ${ids().join(', ')}.`}`;
}

function countOf(value: string): number {
  const count = Number(value);
  if (Number.isInteger(count) && count >= 1 && count <= 9) return count;
  throw new InvalidArgumentError('It must be a whole number from 1 to 9.');
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 2;
}
