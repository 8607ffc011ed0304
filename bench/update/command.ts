import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readQuestions } from 'waymark/evaluation';
import { optionsOf, wholeNumber } from '../growth/arguments.js';
import { PACKAGE_ROOT } from '../package-root.js';
import { origin } from '../report/origin.js';
import { type ChurnResult, measureChurn } from './churn.js';
import { measureEdit } from './edit.js';
import { measureNewFolder } from './new-folder.js';
import { updateReport } from './report.js';
import { measureUnchanged } from './unchanged.js';

const HELP = `Usage: npm run bench -- update [options]

What it takes to keep an index up to date: files that did not change, one paragraph that did, all files replaced, a
folder that is new and searched meanwhile.

  --files <n>      files that do not change (default: 10000)
  --sections <n>   passages of the file that is edited (default: 200)
  --passages <n>   passages whose files are all replaced (default: 5000)
  --rounds <n>     times that they are, and that the others are measured (default: 5)
  --new <n>        files of the new folder, 5 KB each (default: 1000)
  --searches <n>   searches before, and while it is embedded (default: 300)
  --hnsw           replace the files of an HNSW index too
  --json <file>    where the result goes (default: bench/results/update.json)
`;

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  files: { type: 'string', default: '10000' },
  sections: { type: 'string', default: '200' },
  passages: { type: 'string', default: '5000' },
  rounds: { type: 'string', default: '5' },
  new: { type: 'string', default: '1000' },
  searches: { type: 'string', default: '300' },
  hnsw: { type: 'boolean', default: false },
  json: { type: 'string', default: path.join(PACKAGE_ROOT, 'bench', 'results', 'update.json') },
} as const;

/** Fewer than an embedder keeps: they are embedded once. */
const QUERIES = 100;

/** `npm run bench -- update …` Throws `UsageError`. */
export async function updateCommand(args: readonly string[]): Promise<void> {
  const values = optionsOf(args, OPTIONS);
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const files = wholeNumber('--files', values.files);
  const sections = wholeNumber('--sections', values.sections);
  const passages = wholeNumber('--passages', values.passages);
  const rounds = wholeNumber('--rounds', values.rounds);
  const added = wholeNumber('--new', values.new);
  const searches = wholeNumber('--searches', values.searches);
  const questions = readQuestions(path.join(PACKAGE_ROOT, 'corpus', 'queries.jsonl')).slice(0, QUERIES);
  const queries = questions.map(({ text }) => text);
  const started = new Date();
  const unchanged = await measureUnchanged({ files, rounds });
  const tenth = await measureUnchanged({ files: Math.ceil(files / 10), rounds });
  const edit = await measureEdit({ sections, edits: rounds });
  const churn: ChurnResult[] = [];
  for (const index of values.hnsw ? (['exact', 'hnsw'] as const) : (['exact'] as const)) {
    churn.push(await measureChurn({ passages, rounds, index, queries }));
  }
  const newFolder = await measureNewFolder({ files: added, searches, queries });
  const result = { unchanged, tenth, edit, churn, newFolder };
  process.stdout.write(updateReport(result));
  mkdirSync(path.dirname(path.resolve(values.json)), { recursive: true });
  writeFileSync(values.json, `${JSON.stringify({ ...origin(started), ...result }, null, 2)}\n`);
  process.stderr.write(`Written to ${values.json}\n`);
}
