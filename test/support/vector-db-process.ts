import { pino } from 'pino';
import { startVectorDb } from './vector-db.ts';

// A vector database that tests kill. It has low thresholds, so that moves of passages are
// interrupted as well.
const database = await startVectorDb(process.argv[2] ?? '', pino({ level: 'silent' }), {
  recentPassagesMax: 12,
  vectorIndexRowsMin: 500,
});
process.stdout.write(`ready ${database.url}\n`);
