import type { Command } from 'commander';
import { type Configuration, MIN_PASSAGE_TOKENS, readConfiguration, WaymarkError } from '../index.js';
import { isCommon } from './commands/shared-options.js';
import { configurationFile, nearestDatabase } from './database-path.js';
import { fromHere } from './output/from-here.js';

/** A setting that an option, the environment and the configuration file can give. */
interface Setting {
  readonly name: 'bot' | 'model' | 'passageTokens' | 'refresh';
  readonly variable: string;
  /** The value of an option or a variable; undefined if it cannot be one. */
  readonly parse: (text: string) => string | number | boolean | undefined;
  readonly rule: string;
  /** What holds if nothing sets it, for people. */
  readonly fallback: string;
}

const TEXT = { parse: (text: string) => text, rule: 'a text' };

const BOT: Setting = { name: 'bot', variable: 'WAYMARK_BOT', ...TEXT, fallback: 'default' };

/** In the order in which they are listed. */
export const SETTINGS: readonly Setting[] = [
  BOT,
  {
    name: 'model',
    variable: 'WAYMARK_MODEL',
    ...TEXT,
    fallback: "that of the bot's files, or waymark-docs-small-en",
  },
  {
    name: 'passageTokens',
    variable: 'WAYMARK_PASSAGE_TOKENS',
    parse: (text) => (/^\d+$/.test(text) && Number(text) >= MIN_PASSAGE_TOKENS ? Number(text) : undefined),
    rule: `an integer of at least ${MIN_PASSAGE_TOKENS}`,
    fallback: '192',
  },
  {
    name: 'refresh',
    variable: 'WAYMARK_REFRESH',
    parse: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
    rule: 'true or false',
    fallback: 'false',
  },
];

/** The variables for `--database` and `--cluster`. */
export const PLACE_VARIABLES = { database: 'WAYMARK_DATABASE', cluster: 'WAYMARK_CLUSTER' } as const;

/**
 * Gives a command with a `--database` the settings of the environment and the configuration file, for options that were
 * not given. Does not read the file for a command that has none of the settings. Throws `INVALID_ARGUMENT`.
 */
export async function configure(command: Command): Promise<void> {
  const fromFile = await configurePlace(command);
  const settings = settingsOf(command);
  if (settings.length === 0) return;
  const configuration = fromFile ?? (await configurationOf(command.getOptionValue('database')));
  for (const setting of settings) {
    const { name, variable } = setting;
    if (command.getOptionValueSource(name) === 'cli') {
      parsed(command.getOptionValue(name), name, setting);
      continue;
    }
    const fromEnvironment = inEnvironment(variable);
    const inFile = configuration?.[name];
    if (fromEnvironment !== undefined) {
      command.setOptionValueWithSource(name, parsed(fromEnvironment, variable, setting), 'env');
    } else if (inFile !== undefined) {
      command.setOptionValueWithSource(name, inFile, 'config');
    }
  }
  if (configuration) command.setOptionValueWithSource('folders', configuration.folders, 'config');
}

/**
 * The settings that a command has. The `--bot` of some is a choice of their own, which is all bots without it. The
 * tokens of passages go with the model: whatever opens a bot may have to cut and embed its files again for a new model.
 */
function settingsOf({ options }: Command): readonly Setting[] {
  return SETTINGS.filter(({ name }) => {
    const attribute = name === 'passageTokens' ? 'model' : name;
    return options.some((option) => option.attributeName() === attribute && (name !== 'bot' || isCommon(option)));
  });
}

/**
 * Sets the database or the cluster of a command from the environment or the configuration file, unless an option names
 * one. Returns the configuration if it was read. Throws `INVALID_ARGUMENT` where both are named.
 */
async function configurePlace(command: Command): Promise<Configuration | undefined> {
  const names = ['database', 'cluster'] as const;
  // `waymark copy` uses a database and a cluster, so neither excludes the other.
  if (!command.options.some((option) => option.attributeName() === 'cluster')) {
    const given: string | undefined = command.getOptionValue('database');
    const database = given ?? placeInEnvironment('database');
    const configuration = await configurationOf(database);
    if (given === undefined) command.setOptionValueWithSource('database', database, 'env');
    const cluster = placeInEnvironment('cluster');
    const source = cluster === undefined ? 'config' : 'env';
    command.setOptionValueWithSource('cluster', cluster ?? configuration?.cluster, source);
    return configuration;
  }
  const given = names.filter((name) => command.getOptionValue(name) !== undefined);
  if (given.length === 2) throw new WaymarkError('INVALID_ARGUMENT', 'Pass --database or --cluster, not both.');
  if (given.length === 1) return undefined;
  const set = names.filter((name) => placeInEnvironment(name) !== undefined);
  if (set.length === 2) {
    const variables = Object.values(PLACE_VARIABLES).join(' and ');
    throw new WaymarkError('INVALID_ARGUMENT', `${variables} are both set: unset one, or pass an option.`);
  }
  for (const name of set) {
    command.setOptionValueWithSource(name, placeInEnvironment(name), 'env');
  }
  if (set.length > 0) return undefined;
  const configuration = await configurationOf();
  if (configuration?.cluster) command.setOptionValueWithSource('cluster', configuration.cluster, 'config');
  return configuration;
}

function placeInEnvironment(name: keyof typeof PLACE_VARIABLES): string | undefined {
  return inEnvironment(PLACE_VARIABLES[name]);
}

/** The value of a variable. An empty one counts as not set: that is how scripts and containers leave one out. */
function inEnvironment(variable: string): string | undefined {
  return process.env[variable] || undefined;
}

/** The name or id of the bot that the environment or the configuration chooses, for a command without `--bot`. */
export function chosenBot(configuration: Configuration | undefined): string {
  return inEnvironment(BOT.variable) ?? configuration?.bot ?? BOT.fallback;
}

/** The configuration beside a database; undefined if there is none. */
export async function configurationOf(database = nearestDatabase(process.cwd())): Promise<Configuration | undefined> {
  const file = configurationFile(database);
  return file === undefined ? undefined : readConfiguration(fromHere(file));
}

/** The value that was given as `name`. Throws `INVALID_ARGUMENT`. */
function parsed(given: unknown, name: string, { parse, rule }: Setting): string | number | boolean {
  const value = parse(String(given));
  if (value !== undefined) return value;
  throw new WaymarkError('INVALID_ARGUMENT', `${name} must be ${rule}; it is ${JSON.stringify(given)}.`);
}
