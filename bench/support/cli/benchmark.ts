import { Argument, Command, Option } from 'commander';
import { CORPUS } from '../folders/paths.js';
import { resultPath, writeResult } from '../report/result-file.js';

/** An option of a benchmark. */
export interface OptionSpec<Value> {
  readonly description: string;
  /** How help shows the argument, `<n>`; missing for a flag. */
  readonly placeholder?: string;
  readonly parse?: (text: string) => Value;
  /** Text of the default, which is parsed like an argument. */
  readonly default?: string;
  /** Options that this one excludes. */
  readonly conflicts?: readonly string[];
}

/** An option that always has a value. */
export function option<Value>(
  placeholder: string,
  description: string,
  { parse, default: initial }: { readonly parse: (text: string) => Value; readonly default: string },
): OptionSpec<Value> {
  return { placeholder, description, parse, default: initial };
}

/** An option without a default: `undefined` if it is missing. */
export function optional<Value>(
  placeholder: string,
  description: string,
  parse: (text: string) => Value,
): OptionSpec<Value | undefined> {
  return { placeholder, description, parse };
}

/** An option without an argument: `true` or `undefined`. */
export function flag(description: string, conflicts: readonly string[] = []): OptionSpec<boolean | undefined> {
  return { description, conflicts };
}

/** What a benchmark found. */
export interface Outcome {
  /** Text for the terminal. */
  readonly report: string;
  readonly result: object;
  /** Name of the list in `result` that is written with one item per line. */
  readonly itemPerLine?: string;
  /** SVG. */
  readonly chart?: string;
  /** Name of the file in bench/results/. Defaults to that of the benchmark; `undefined` writes none unless asked to. */
  readonly file?: string | undefined;
}

export interface Benchmark<Options> {
  readonly name: string;
  readonly summary: string;
  /** What else `--help` says. */
  readonly details?: string;
  /** Whether it takes the folder of a collection; it defaults to corpus/. */
  readonly takesCollection?: boolean;
  /** By their names in camel case: `limitQueries` is `--limit-queries`. */
  readonly options: { readonly [Name in keyof Options]: OptionSpec<Options[Name]> };
  readonly run: (options: Options, collection: string) => Promise<Outcome>;
}

/** Infers the types of the options from the table. */
export function defineBenchmark<Options>(benchmark: Benchmark<Options>): Benchmark<Options> {
  return benchmark;
}

/** The command that runs a benchmark, prints its report and writes its result and chart. */
export function commandOf<Options>(benchmark: Benchmark<Options>): Command {
  const { name, summary, details = '', takesCollection } = benchmark;
  const command = new Command(name).summary(summary).allowExcessArguments(false);
  command.description(`${summary}\n\n${details.replaceAll('\n', ' ')}`.trim());
  if (takesCollection) {
    command.addArgument(new Argument('[collection]', 'folder of a collection').default(CORPUS, 'corpus'));
  }
  for (const [key, spec] of Object.entries<OptionSpec<unknown>>(benchmark.options)) {
    command.addOption(commanderOption(key, spec));
  }
  command.option('--json <file>', 'result file, with the chart beside it (default: in bench/results/)');
  return command.action(async () => {
    const { json, ...options } = command.opts<Options & { json?: string }>();
    const started = new Date();
    const outcome = await benchmark.run(options as Options, command.processedArgs[0] ?? CORPUS);
    process.stdout.write(outcome.report);
    const file = json ?? resultPath('file' in outcome ? outcome.file : name);
    if (file !== undefined) writeResult(file, { ...outcome, started });
  });
}

function commanderOption(key: string, spec: OptionSpec<unknown>): Option {
  const { description, placeholder, parse, default: initial, conflicts = [] } = spec;
  const name = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const option = new Option(placeholder ? `${name} ${placeholder}` : name, description).conflicts([...conflicts]);
  if (parse) option.argParser(parse);
  return initial === undefined ? option : option.default(parse?.(initial), initial);
}
