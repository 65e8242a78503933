import { readFileSync } from 'node:fs';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { readPublicKeys } from '../modules/runs/receipts/receipt-keys.ts';
import { parseKeySet } from '../modules/runs/receipts/verify-receipt.ts';
import { messageOf } from '../platform/error-message.ts';
import { prepareProgram } from '../platform/prepare-program.ts';
import { withDatabase } from './with-database.ts';

/** What the person who called the command must change. */
export class UsageError extends Error {}

/** Reads a command line of one file and options. */
export function readArguments<Options extends ParseArgsOptionsConfig>(
  usage: string,
  options: Options,
) {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) throw new UsageError(usage);
    return { file, values };
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof TypeError)) throw error;
    throw new UsageError(`${error.message}\n${usage}`);
  }
}

/** The public keys in a file; without one, those of this installation. */
export const readKeys = async (path: string | undefined) =>
  parseKeySet(path === undefined ? await readOwnKeys() : readText(path));

const readOwnKeys = (): Promise<string> =>
  withDatabase(
    prepareProgram(),
    async (database) => JSON.stringify({ keys: await readPublicKeys(database) }),
    { isPatient: true },
  );

export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${path} cannot be read. ${messageOf(error, path)}`);
  }
}
