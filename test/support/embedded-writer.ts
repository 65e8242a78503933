import { openDatabase } from '../../src/platform/database/database.ts';
import { quietLog } from './quiet-log.ts';

// A process for tests to kill: opens the embedded database in its first argument and says so, then
// adds users one after another and says each that the database has acknowledged.
const say = (line: string) => process.stdout.write(`${line}\n`);

const database = await openDatabase({ dataDir: process.argv[2] ?? '', log: quietLog });
say('open');
for (;;) {
  const id = crypto.randomUUID();
  await database.prisma.user.create({ data: { id, email: `${id}@writer.example` } });
  say(id);
}
