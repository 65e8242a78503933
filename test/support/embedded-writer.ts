import { openDatabase } from '../../src/platform/database/open-database.ts';
import { quietLog } from './quiet-log.ts';

// A process that tests kill. It opens the embedded database in its first argument, prints "open",
// then adds users and prints each id that the database has confirmed. With a second argument every
// user is followed by a checkpoint.
const printLine = (line: string) => process.stdout.write(`${line}\n`);

const database = await openDatabase({ dataDir: process.argv[2] ?? '', log: quietLog });
printLine('open');
for (;;) {
  const id = crypto.randomUUID();
  await database.prisma.user.create({ data: { id, email: `${id}@writer.example` } });
  printLine(id);
  if (process.argv[3] !== undefined) await database.prisma.$executeRawUnsafe('checkpoint');
}
