import { findWrongCounters } from '../modules/sponsorship/campaigns/find-wrong-counters.ts';
import { prepareProgram } from '../platform/prepare-program.ts';
import { printLine, requireNoArguments, runCommand } from './command.ts';
import { withDatabase } from './with-database.ts';

/**
 * `npm run check:counters` compares every stored counter with the rows that it counts, prints the
 * differences, and fails if there are any.
 */
async function main(): Promise<void> {
  requireNoArguments('Usage: npm run check:counters');
  await withDatabase(
    prepareProgram(),
    async (database) => {
      const differences = await findWrongCounters({ database });
      for (const { counter, owner, stored, counted } of differences)
        printLine(`${counter} of ${owner}: stored ${stored}, counted ${counted}`);
      printLine(
        differences.length === 0
          ? 'All counters match their rows.'
          : `${differences.length} counters differ from their rows.`,
      );
      if (differences.length > 0) process.exitCode = 1;
    },
    { isPatient: true },
  );
}

runCommand(main);
