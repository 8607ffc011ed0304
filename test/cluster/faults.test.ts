import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHashEmbedder, openEngine, type SearchEngine } from 'waymark';
import { until } from '../support/until.js';
import { type Cluster, startCluster } from './start.js';

/** Versions of each file that an indexer writes, one after the other. */
const VERSIONS = 3;

const FILES = 20;

let cluster: Cluster;

function open(): Promise<SearchEngine> {
  const hosts = cluster.hosts.map(({ http, grpc }) => `http://${http}?grpc=${grpc}`);
  return openEngine({ cluster: { hosts }, model: createHashEmbedder() });
}

/** The text of a version of a file: some words of its own, and some that all versions share. */
function textOf(file: number, version: number): string {
  const sentence = `The pump number${file} has valve${file}x${version} and a lamp.`;
  return `# Pump ${file}\n\n${sentence}\n\n## Notes\n\nShared words of a door.\n`;
}

beforeAll(async () => {
  cluster = await startCluster();
});

afterAll(() => cluster?.stop());

describe('with one node of three killed and brought back under load', () => {
  it('no acknowledged file is lost, searches go on, and answers are those of an undisturbed run', async () => {
    const engine = await open();
    const acknowledged = new Map<string, number>();
    let isDone = false;
    let searches = 0;
    const failures: unknown[] = [];
    const index = async (indexer: number) => {
      const own = await open();
      for (let version = 1; version <= VERSIONS; version++) {
        for (let file = indexer; file < FILES; file += 2) {
          const key = `f${file}.md`;
          await own.indexFile(key, textOf(file, version));
          acknowledged.set(key, version);
        }
      }
      await own.close();
    };
    const search = async () => {
      while (!isDone) {
        try {
          const hits = await engine.search('pump lamp', { limit: 5 });
          // Old or new, never both: a file has one passage with its lamp.
          const keys = hits.filter(({ passage }) => passage.content.includes('lamp')).map(({ file }) => file.key);
          expect(new Set(keys).size).toBe(keys.length);
          searches += 1;
        } catch (error) {
          failures.push(error);
        }
      }
    };
    const searching = Array.from({ length: 8 }, search);
    const indexing = [index(0), index(1)];
    // An indexer may fail before so many files are acknowledged.
    await Promise.race([until(() => acknowledged.size > FILES / 4), Promise.all(indexing)]);
    await cluster.kill(2);
    const before = searches;
    await until(async () => searches > before + 20);
    await cluster.restart(2);
    await Promise.all(indexing);
    isDone = true;
    await Promise.all(searching);
    expect(failures).toEqual([]);
    expect([...acknowledged.values()]).toEqual(Array.from({ length: FILES }, () => VERSIONS));

    const folder = mkdtempSync(path.join(tmpdir(), 'waymark-undisturbed-'));
    const undisturbed = await openEngine({ database: path.join(folder, 'waymark.db'), model: createHashEmbedder() });
    for (let file = 0; file < FILES; file++) {
      await undisturbed.indexFile(`f${file}.md`, textOf(file, VERSIONS));
    }
    const answers = async (asked: SearchEngine) => {
      const shown: string[] = [];
      for (let file = 0; file < FILES; file++) {
        const [hit] = await asked.search(`valve${file}x${VERSIONS}`, { limit: 1 });
        shown.push(`${hit?.file.key}#${hit?.passage.position} ${hit?.passage.content} ${hit?.score.toFixed(4)}`);
      }
      return shown;
    };
    const expected = await answers(undisturbed);
    // The node that was away receives in the background what it missed.
    await until(async () => JSON.stringify(await answers(engine)) === JSON.stringify(expected));
    expect((await engine.status()).files).toBe(FILES);
    await undisturbed.close();
    await engine.close();
  });
});

describe('with two nodes of three killed', () => {
  it('a write says that too few replicas are up, and changes nothing', async () => {
    const engine = await open();
    await cluster.kill(1);
    await cluster.kill(2);
    await expect(engine.indexFile('late.md', '# Late\n\nToo late.\n')).rejects.toMatchObject({
      code: 'CLUSTER_UNAVAILABLE',
    });
    await cluster.restart(1, 2);
    await until(async () =>
      (await engine.search('late', { mode: 'lexical' })).every(({ file }) => file.key !== 'late.md'),
    );
    await engine.close();
  });
});

describe('a cluster that cannot be reached', () => {
  it('is one clear error', async () => {
    const opened = openEngine({ cluster: { hosts: ['http://127.0.0.1:9'] }, model: createHashEmbedder() });
    await expect(opened).rejects.toMatchObject({
      code: 'CLUSTER_UNAVAILABLE',
      message:
        'No node of the cluster answers: check the addresses, and that the nodes run. The cluster is http://127.0.0.1:9.',
    });
  });
});
