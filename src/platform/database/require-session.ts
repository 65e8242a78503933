import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

const rounds = 3;
const answerMs = 9_000;

/**
 * Stops the start where DATABASE_URL leads to a pooler that hands its server connections out anew
 * for each transaction (PgBouncer with pool_mode = transaction). Prepared statements and the scope
 * of row-level security belong to a session: requests would fail there, or run in the scope of
 * another organization.
 */
export async function requireSession(databaseUrl: string): Promise<void> {
  const [first, second] = [connectTo(databaseUrl), connectTo(databaseUrl)];
  try {
    await Promise.all([first.connect(), second.connect()]);
    if (await sharesSessions(first, second)) throw new Error(refusal);
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
}

const refusal =
  'DATABASE_URL leads to a connection pooler in transaction mode, such as PgBouncer with pool_mode = transaction. ' +
  'Atrium needs sessions of its own: set pool_mode = session, or connect to Postgres directly.';

function connectTo(connectionString: string): Client {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    fallback_application_name: 'atrium',
  });
  // A connection that is lost between two statements fails the next one.
  client.on('error', () => {});
  return client;
}

/**
 * A session keeps its server process while another one has a transaction open, and nobody else
 * reads what it has set.
 */
async function sharesSessions(first: Client, second: Client): Promise<boolean> {
  const mark = randomUUID();
  await first.query("select set_config('atrium.session', $1, false)", [mark]);
  const own = await stateOf(first);
  for (let round = 0; round < rounds; round += 1) {
    await second.query('begin');
    const others = await stateOf(second);
    if (others.mark === mark || others.pid === own.pid) return true;
    const after = await stateOf(first);
    await second.query('rollback');
    if (after.pid !== own.pid || after.mark !== mark) return true;
  }
  return false;
}

type SessionState = { pid?: number; mark?: string | null };

async function stateOf(client: Client): Promise<SessionState> {
  const { rows } = await client.query<SessionState>(
    "select pg_backend_pid() as pid, current_setting('atrium.session', true) as mark",
  );
  return rows[0] ?? {};
}
