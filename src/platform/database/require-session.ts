import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

const rounds = 3;
const timeoutMs = 9_000;

/**
 * Throws if DATABASE_URL leads to a pooler that assigns a server connection per transaction
 * (PgBouncer with pool_mode = transaction). Prepared statements and the row-level security scope
 * belong to a session: behind such a pooler requests would fail, or run in the scope of another
 * organization.
 */
export async function requireSession(databaseUrl: string): Promise<void> {
  const [first, second] = [connectTo(databaseUrl), connectTo(databaseUrl)];
  try {
    await Promise.all([first.connect(), second.connect()]);
    if (await sharesSessions(first, second)) throw new Error(poolerMessage);
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
}

const poolerMessage =
  'DATABASE_URL leads to a connection pooler in transaction mode, such as PgBouncer with pool_mode = transaction. ' +
  'Atrium needs sessions of its own: set pool_mode = session, or connect to Postgres directly.';

function connectTo(connectionString: string): Client {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    fallback_application_name: 'atrium',
  });
  // If the connection is lost between two statements, the next statement rejects.
  client.on('error', () => {});
  return client;
}

/**
 * A real session keeps its server process while another has a transaction open, and its settings
 * are not visible to others.
 */
async function sharesSessions(first: Client, second: Client): Promise<boolean> {
  const mark = randomUUID();
  await first.query("select set_config('atrium.session', $1, false)", [mark]);
  const before = await stateOf(first);
  for (let round = 0; round < rounds; round += 1) {
    await second.query('begin');
    const others = await stateOf(second);
    if (others.mark === mark || others.pid === before.pid) return true;
    const after = await stateOf(first);
    await second.query('rollback');
    if (after.pid !== before.pid || after.mark !== mark) return true;
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
