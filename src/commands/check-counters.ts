import { findWrongCounters } from '../modules/sponsorship/campaigns/find-wrong-counters.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import { createErrorLog } from '../platform/log.ts';
import { prepareProgram } from '../platform/prepare-program.ts';

/**
 * `npm run check:counters` compares every stored counter with the rows that it counts, prints the
 * differences, and fails if there are any.
 */
async function main(): Promise<void> {
  const env = prepareProgram();
  const database = await openDatabase({
    databaseUrl: env.DATABASE_URL,
    dataDir: env.DATA_DIR,
    isPatient: true,
    log: createErrorLog(env),
  });
  try {
    const differences = await findWrongCounters({ database });
    for (const { counter, owner, stored, counted } of differences)
      printLine(`${counter} of ${owner}: stored ${stored}, counted ${counted}`);
    printLine(
      differences.length === 0
        ? 'All counters match their rows.'
        : `${differences.length} counters differ from their rows.`,
    );
    if (differences.length > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

const printLine = (line: string) => process.stdout.write(`${line}\n`);

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
