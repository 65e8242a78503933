import { pino } from 'pino';
import { startVectorDb } from './vector-db.ts';

// A vector database that is killed: it moves passages after few of them, so that moves are met as
// well.
const database = await startVectorDb(process.argv[2] ?? '', pino({ level: 'silent' }), {
  recentPassagesMax: 12,
  vectorIndexRowsMin: 500,
});
process.stdout.write(`ready ${database.url}\n`);
