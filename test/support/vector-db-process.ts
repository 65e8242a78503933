import { pino } from 'pino';
import { engineOf } from '../../src/vault/vector-db/open-passage-store.ts';
import { startVectorDb } from './vector-db.ts';

// A vector database that tests kill. Lance gets low thresholds, so that its moves of passages are
// interrupted as well.
const [location = '', engine = '', options = '{}'] = process.argv.slice(2);
const { storageOptions, cacheMb } = JSON.parse(options);
const database = await startVectorDb(location, pino({ level: 'silent' }), {
  engine: engine === 'lance' ? 'lance' : engineOf(location),
  storageOptions,
  cacheMb,
  thresholds: { recentPassagesMax: 12, vectorIndexRowsMin: 500 },
});
process.stdout.write(`ready ${database.url}\n`);
