import { openDatabase } from '../../src/platform/database/open-database.ts';
import { quietLog } from './quiet-log.ts';

// Opens the database in the directory that is its argument, writes to it, and does not close it.

const database = await openDatabase({ dataDir: process.argv[2] ?? '', log: quietLog });
await database.prisma.user.create({ data: { id: 'unclosed', email: 'unclosed@embedded.example' } });
