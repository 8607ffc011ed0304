import { hasCode, type WaymarkError } from '../domain/errors.js';
import type { Connection } from '../sqlite/connection/connection.js';
import { cutOff } from '../sqlite/connection/damage.js';
import { openConnection, openUnmigrated } from '../sqlite/connection/open-connection.js';
import { isSqliteError } from '../sqlite/connection/sqlite.js';
import { MIGRATIONS } from '../sqlite/schema/migrations.js';
import { checkSchema, inspectSchema } from './checks/schema.js';
import { checkStructure, inspectStructure, isOfFreeSpace } from './checks/structure.js';
import { type Finding, INDEX_AGAIN } from './finding.js';

/** A database opened for examination. */
export interface OpenedDatabase {
  /** Undefined if the pages or tables are too damaged to read rows; the findings say so. */
  readonly connection?: Connection;
  readonly findings: readonly Finding[];
  readonly repaired: readonly string[];
}

/**
 * Opens a database and checks its schema. An intact database of an earlier version is migrated; with `repair` a wrong
 * schema version is corrected, and so are the lists of free space.
 */
export function openForExamination(file: string, { repair }: { readonly repair: boolean }): OpenedDatabase {
  const repaired: string[] = [];
  let connection: Connection | undefined;
  try {
    connection = openUnmigrated(file);
    let schema = inspectSchema(connection, file);
    if (repair && schema.matching !== undefined && schema.matching !== schema.version) {
      connection.pragma(`user_version = ${schema.matching}`);
      repaired.push(`Corrected the recorded schema version to ${schema.matching}.`);
      schema = inspectSchema(connection, file);
    }
    let structure = inspectStructure(connection);
    if (repair && isOfFreeSpace(structure)) {
      connection.exec('VACUUM');
      repaired.push('Wrote all pages again, since the lists of free space were damaged.');
      structure = inspectStructure(connection);
    }
    if (structure.malformed.length > 0 || schema.matching !== schema.version) {
      connection.close();
      return { findings: [checkSchema(schema), checkStructure(structure)], repaired };
    }
    if (schema.version < MIGRATIONS.length) {
      connection.close();
      connection = openConnection(file, { create: false });
      schema = inspectSchema(connection, file);
    }
    return { connection, findings: [checkSchema(schema)], repaired };
  } catch (error) {
    connection?.close();
    if (!hasCode(error, 'DATABASE_DAMAGED')) throw error;
    return { findings: [{ check: 'structure', state: 'damaged', ...adviceFor(error, file) }], repaired };
  }
}

/** Without the advice to run the doctor that an error for damage found elsewhere gives. */
function adviceFor({ message, cause }: WaymarkError, file: string): Pick<Finding, 'message' | 'remedy'> {
  if (!isSqliteError(cause) || cause.code === 'SQLITE_NOTADB') return { message, remedy: INDEX_AGAIN };
  const lack = cutOff(file);
  if (lack === undefined) return { message: `The database is malformed: ${cause.message}.`, remedy: INDEX_AGAIN };
  return {
    message: `The database is cut off: ${lack}.`,
    remedy: `if it is a copy, copy it again; otherwise ${INDEX_AGAIN}`,
  };
}
