import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { systemClock } from '../platform/clock.ts';
import { type Env, environment } from '../platform/env.ts';
import { messageOf } from '../platform/error-message.ts';
import { createErrorLog, type Log } from '../platform/log.ts';
import { prepareProgram } from '../platform/prepare-program.ts';
import { readVaultConfig, readVectorLocation, type VaultConfig } from '../vault/config.ts';
import { type MoveProgress, moveVectors } from '../vault/vector-db/move-vectors.ts';
import { openPassageStore } from '../vault/vector-db/open-passage-store.ts';
import { printLine, runCommand } from './command.ts';

const usage = `Usage: npm run vectors:move -- [--from <location>] --to <location>
  [--from-option <name>=<value>]... [--to-option <name>=<value>]...`;
const progressEveryMs = 2_000;
/** Long enough for the server to notice that an earlier move was killed. */
const ownershipWaitMs = 5_000;

type Location = VaultConfig['vectorDb'];

/**
 * `npm run vectors:move -- --to <location>` copies every document of the vector database in
 * vault.yaml, or of the one at --from, to another location, and removes what only the target has. It
 * goes on where it was killed. No other process can use either of them meanwhile.
 */
async function main(): Promise<void> {
  const { from, to, fromOptions, toOptions } = readArguments();
  const env = prepareProgram();
  const log = createErrorLog(env);
  const configured = readConfigured(env);
  const sourceLocation =
    from === undefined ? configured : readLocation('from', from, fromOptions, configured);
  const targetLocation = readLocation('to', to, toOptions, configured);
  if (isSame(sourceLocation, targetLocation))
    throw new Error('--from and --to are the same location');
  if (!sourceLocation.location.includes('://') && !existsSync(sourceLocation.location))
    throw new Error(`There is no vector database in ${sourceLocation.location}`);
  const source = await open(sourceLocation, log);
  try {
    const target = await open(targetLocation, log);
    try {
      const summary = await moveVectors({ source, target, onProgress: createReport() });
      const { documents, passages, skipped, removed } = summary;
      printLine(
        `The target has all ${documents} documents with ${passages} passages: ${documents - skipped} were copied, ${skipped} were there already. ${removed} others were removed from it.`,
      );
      printLine(
        `Set vector_db.location in vault.yaml to ${to}, and start Atrium. The source is unchanged.`,
      );
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function readArguments() {
  const option = { type: 'string' } as const;
  const options = { ...option, multiple: true } as const;
  const parse = () =>
    parseArgs({
      options: { from: option, to: option, 'from-option': options, 'to-option': options },
    }).values;
  try {
    const values = parse();
    if (values.to === undefined) throw new TypeError('--to is missing');
    return {
      from: values.from,
      to: values.to,
      fromOptions: values['from-option']?.map(pairOf),
      toOptions: values['to-option']?.map(pairOf),
    };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error(`${error.message}\n${usage}`);
  }
}

function pairOf(text: string): [string, string] {
  const [, name = '', value = ''] = /^([A-Za-z0-9_]+)=(.*)$/s.exec(text) ?? [];
  // The text may hold a secret, so the message does not repeat it.
  if (name === '') throw new TypeError('An option has the form name=value');
  return [name, value];
}

const readConfigured = (env: Env): Location =>
  // This command serves nobody, so it needs no secret of the vault.
  readVaultConfig({ env, variables: environment, secret: env.VAULT_SECRET ?? '' }).vectorDb;

/** Options that are not given are those of vault.yaml, if it has the same location. */
function readLocation(
  name: 'from' | 'to',
  location: string,
  options: [string, string][] | undefined,
  configured: Location,
): Location {
  try {
    const read = readVectorLocation(location, Object.fromEntries(options ?? []), environment);
    return options === undefined && read.location === configured.location ? configured : read;
  } catch (error) {
    const faults = messageOf(error);
    throw new Error(
      faults
        .replaceAll(/^vector_db\.storage_options\./gm, `--${name}-option `)
        .replaceAll(/^vector_db\.location/gm, `--${name}`),
    );
  }
}

const isSame = (a: Location, b: Location): boolean =>
  a.location === b.location &&
  (a.storageOptions['schema'] ?? '') === (b.storageOptions['schema'] ?? '');

const open = (location: Location, log: Log) =>
  openPassageStore({ ...location, ownershipWaitMs, clock: systemClock, log });

function createReport() {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return ({ documents, documentsTotal, passages, passagesTotal }: MoveProgress) => {
    const now = performance.now();
    if (now - reportedAt < progressEveryMs && documents < documentsTotal) return;
    reportedAt = now;
    const share = Math.floor((100 * passages) / Math.max(1, passagesTotal));
    printLine(
      `${documents} of ${documentsTotal} documents, ${passages} of ${passagesTotal} passages (${share} %)`,
    );
  };
}

runCommand(main);
