import { openDatabase } from '../../src/platform/database/open-database.ts';
import { quietLog } from './quiet-log.ts';
import { partnerOn } from './redemptions.ts';

// A process that tests kill. Several people concurrently reserve, then complete, release or
// abandon; it prints each confirmed redemption.
const printLine = (line: string) => process.stdout.write(`${line}\n`);
const [dataDir = '', databaseUrl] = process.argv.slice(2);

const database = await openDatabase({ databaseUrl, dataDir, log: quietLog });
const partner = await partnerOn(database);
const { id } = await partner.campaign();
const { token } = await partner.link(id);

async function reserveAndComplete(): Promise<void> {
  const userId = await partner.person();
  const { reservation } = await partner.reserve(token, { userId });
  const chance = Math.random();
  if (chance < 0.1) return;
  if (chance < 0.3) {
    await partner.release(reservation);
    return;
  }
  const { redemptionId, organizationId } = await partner.complete(token, reservation, userId);
  printLine(`${redemptionId} ${organizationId}`);
}

await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (;;) await reserveAndComplete();
  }),
);
