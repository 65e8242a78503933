import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { checkpointSchema } from '../modules/audit/verifying/parse-line.ts';
import { type VerifiedExport, verifyExport } from '../modules/audit/verifying/verify-export.ts';
import { messageOf } from '../platform/error-message.ts';
import { printLine, runCommand } from './command.ts';
import { readArguments, readKeys, readText, UsageError } from './verification.ts';

const usage = `Usage: npm run audit:verify -- <entries.ndjson> [--key <jwks.json>]
  [--checkpoints <checkpoints.json>]...`;

/**
 * `npm run audit:verify -- entries.ndjson` checks an export of the audit log: that no line was
 * changed, removed or added since it was sealed. With --key it needs no network and no database;
 * without, it uses the keys of this installation. --checkpoints names answers of
 * GET /api/audit/v1/checkpoints that were stored before. The exit code is 0 if everything is as
 * sealed, 1 if something is not, and 2 if the check was not possible.
 */
async function main(): Promise<void> {
  const { file, values } = readArguments(usage, {
    key: { type: 'string' },
    checkpoints: { type: 'string', multiple: true },
  });
  const { key, checkpoints = [] } = values;
  const keys = await readKeys(key);
  const stored = checkpoints.flatMap(readCheckpoints);
  const result = await verifyExport({
    chunks: createReadStream(file, { highWaterMark: 1_048_576 }),
    keys,
    checkpoints: stored,
  }).catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read. ${messageOf(error, file)}`);
  });
  printSummary(result);
  if (result.faultCount > 0) process.exitCode = 1;
}

function printSummary(result: VerifiedExport): void {
  const { entries, first, checkpoint, comparedCheckpoints, faults, faultCount } = result;
  for (const { line, message } of faults)
    printLine(`${line === null ? 'The file' : `Line ${line}`}: ${message}.`);
  if (faultCount > faults.length) printLine(`${faultCount - faults.length} more are left out.`);
  if (checkpoint) {
    const { organizationId, size, at } = checkpoint;
    printLine(
      `The checkpoint of organization ${organizationId} covers ${size} entries and was signed at ${at}.`,
    );
  }
  if (comparedCheckpoints > 0)
    printLine(`The entries were compared with ${comparedCheckpoints} stored checkpoints.`);
  const range =
    first === null ? '' : `, which are those of positions ${first} to ${first + entries - 1}`;
  printLine(
    faultCount === 0
      ? `The ${entries} entries of the file${range}, are as they were sealed.`
      : `${faultCount} ${faultCount === 1 ? 'fault was' : 'faults were'} found in a file of ${entries} entries.`,
  );
}

const storedSchema = z.union([
  z.object({ checkpoints: z.array(checkpointSchema) }).transform((page) => page.checkpoints),
  z.object({ checkpoint: checkpointSchema }).transform(({ checkpoint }) => [checkpoint]),
]);

function readCheckpoints(path: string) {
  const text = readText(path);
  try {
    return storedSchema.parse(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw new UsageError(`${path} is not an answer of GET /api/audit/v1/checkpoints.`);
  }
}

runCommand(main, () => 2);
