import { pino } from 'pino';
import { startVectorDb } from './vector-db.ts';

// A vector database that tests kill. Lance gets low thresholds, so that its moves of passages are
// interrupted as well.
const database = await startVectorDb(process.argv[2] ?? '', pino({ level: 'silent' }), {
  engine: process.argv[3] === 'lance' ? 'lance' : 'sqlite',
  thresholds: { recentPassagesMax: 12, vectorIndexRowsMin: 500 },
});
process.stdout.write(`ready ${database.url}\n`);
