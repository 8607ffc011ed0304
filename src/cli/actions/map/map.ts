import path from 'node:path';
import { counted, type EmbeddedPassage, type EngineStatus, tagFilterOf, WaymarkError } from '../../../index.js';
import { NO_RESULTS, NOT_INDEXED, SUCCESS } from '../../exit-codes.js';
import { printMessage } from '../../output/print.js';
import { printable } from '../../output/printable.js';
import type { StepProgress } from '../../output/progress-bar.js';
import { finishWith, noFiles, noMatchingFiles } from '../../output/results/index-advice.js';
import type { BotPlace } from '../../storage-place.js';
import { type BotFilesOptions, withEngine } from '../open.js';
import { openInBrowser } from '../open-in-browser.js';
import { withProgressBar } from '../progress.js';
import { indexedKeys } from '../search/keys-of-paths.js';
import { type LayoutProgress, layOut } from './lay-out.js';
import { mapPage } from './map-page.js';
import { checkOutput, writeOutput } from './output.js';
import { hitsOf, passagesOnMap } from './passages.js';
import type { Point } from './point.js';

export interface MapCommandOptions extends BotFilesOptions {
  readonly output: string;
  readonly query?: readonly string[];
  readonly in?: readonly string[];
  readonly tag?: readonly string[];
  readonly open?: true;
}

/** Maximum number of passages on a map: more take too long to lay out, and hide each other. */
const LIMIT = 50_000;

/** Maximum number of queries on a map: each has a letter. */
const QUERIES = 26;

/** `waymark map` */
export async function map(options: MapCommandOptions): Promise<number> {
  const { output, query = [], in: places = [], tag = [], open } = options;
  const tags = tagFilterOf(tag);
  if (query.length > QUERIES) {
    throw new WaymarkError(
      'INVALID_ARGUMENT',
      `--query is given ${query.length} times, but a map shows at most ${QUERIES} queries: leave some out.`,
    );
  }
  checkOutput(output);
  return withEngine(options, { create: false, processes: 1 }, async (engine) => {
    const status = await engine.status();
    if (status.files === 0) {
      printMessage(noFiles(status, options));
      return NOT_INDEXED;
    }
    const filter = { path: await indexedKeys(engine, places), tags };
    const found = await engine.embeddedPassages({ ...filter, limit: LIMIT + 1 });
    if (found.length > LIMIT) {
      const most = `A map shows at most ${counted(LIMIT, 'passage')}`;
      const message = `${most}; these files have more. Choose some with --in <path>.`;
      throw new WaymarkError('INVALID_ARGUMENT', message);
    }
    if (found.length === 0) {
      const isMisspelt = places.length > 0 && (await engine.keys(filter.path)).length === 0;
      printMessage(isMisspelt ? noMatchingFiles(places, status) : nothingEmbedded(status, options));
      return NO_RESULTS;
    }
    const queries = await hitsOf(query, { engine, found, filter });
    const points = await pointsOf(found);
    writeOutput(output, mapPage({ ...passagesOnMap(found, points), queries }));
    process.stdout.write(`${printable(output)}\n`);
    const { passages, embedded } = status;
    if (embedded < passages)
      printMessage(`${passages - embedded} of ${passages} passages are not embedded yet. ${finishWith(options)}`);
    if (open) await openInBrowser(path.resolve(output));
    return SUCCESS;
  });
}

function nothingEmbedded({ passages, embedded }: EngineStatus, botPlace: BotPlace): string {
  return embedded < passages ? `No passage of these files is embedded yet. ${finishWith(botPlace)}` : 'No passages.';
}

function pointsOf(found: readonly EmbeddedPassage[]): Promise<readonly Point[]> {
  const vectors = found.map(({ embedding }) => embedding);
  return withProgressBar((bar, signal) => {
    return layOut(vectors, { signal, onProgress: (progress) => bar.update(stepOf(progress)) });
  });
}

function stepOf({ step, done, total }: LayoutProgress): StepProgress {
  const named = step === 'compare' ? { verb: 'Comparing', noun: 'passage' } : { verb: 'Running', noun: 'layout round' };
  return { ...named, done, total };
}
