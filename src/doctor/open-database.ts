import { WaymarkError } from '../domain/errors.js';
import type { Connection } from '../sqlite/connection/connection.js';
import { MIGRATIONS } from '../sqlite/connection/migrations.js';
import { openConnection, openUnmigrated } from '../sqlite/connection/open-connection.js';
import type { Finding } from './finding.js';
import { checkSchema, readSchema } from './schema.js';
import { checkStructure, structureOf } from './structure.js';

/** A database opened for examination. */
export interface OpenedDatabase {
  /** Undefined if its pages or tables are so damaged that no row can be examined. */
  readonly connection?: Connection;
  readonly findings: readonly Finding[];
  readonly repaired: readonly string[];
}

/** Opens a database and checks its schema and structure; with `repair` it corrects the recorded schema version. */
export function openForExamination(file: string, { repair }: { readonly repair: boolean }): OpenedDatabase {
  const repaired: string[] = [];
  let connection: Connection | undefined;
  try {
    connection = openUnmigrated(file);
    let schema = readSchema(connection, file);
    if (repair && schema.found !== undefined && schema.found !== schema.version) {
      connection.pragma(`user_version = ${schema.found}`);
      repaired.push(`Corrected the recorded schema version to ${schema.found}.`);
      schema = readSchema(connection, file);
    }
    const findings = [checkSchema(schema)];
    const structure = structureOf(connection);
    if (structure.malformed.length > 0 || schema.found !== schema.version) {
      connection.close();
      return { findings: [...findings, checkStructure(structure)], repaired };
    }
    if (schema.version < MIGRATIONS.length) {
      connection.close();
      connection = openConnection(file, { create: false });
      findings[0] = checkSchema(readSchema(connection, file));
    }
    return { connection, findings, repaired };
  } catch (error) {
    connection?.close();
    if (!(error instanceof WaymarkError) || error.code !== 'DATABASE_DAMAGED') throw error;
    const remedy = 'index again into a new file, with --database';
    return { findings: [{ check: 'structure', state: 'damaged', message: error.message, remedy }], repaired };
  }
}
