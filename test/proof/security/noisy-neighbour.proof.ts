import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { atMost } from '../../bench/goals.ts';
import { percentile } from '../../bench/statistics.ts';
import { temporaryDirectory } from '../../support/process.ts';
import type { Kind } from '../faults/place.ts';
import { type Finding, none, type Proof } from '../proof.ts';
import { openTwoTenants, type Tenant, type TwoTenants } from './two-tenants.ts';

const clientProgram = fileURLToPath(new URL('./hostile-client.ts', import.meta.url));
const readsPerRound = 150;
const runsPerRound = 30;
const uploadsPerRound = 5;
const settings = { USER_KEY_LIMIT: '6000' };
const ratioMax = 2;
// Until the vault has let go of what was deleted.
const settleMs = 2_000;

export const proof: Proof = {
  claim:
    'An organization that searches, runs, uploads and queues files as much as it can does not slow down another: its p99 is at most twice its p99 alone',
  long: true,
  async attempt({ quick, say }) {
    const rounds = quick ? 2 : 6;
    return [
      ...(await besideHostile('postgres', rounds, say)),
      ...(await besideHostile('embedded', rounds, say)),
    ];
  },
};

type Kinds = 'reads' | 'runs' | 'uploads to answer';
type Samples = Record<Kinds, number[]>;

async function besideHostile(
  kind: Kind,
  rounds: number,
  say: (line: string) => void,
): Promise<Finding[]> {
  const tenants = await openTwoTenants(kind, settings);
  const { hostile, quiet } = tenants;
  let client: HostileClient | undefined;
  try {
    const searched = await hostile.uploadAndWait('Nothing of this file matters to anybody.');
    await quiet.uploadAndWait('Lunch is served from 11:30.');
    await hostile.run('warm');
    await measure(quiet, 0);
    client = await startHostileClient(tenants, String(searched['id']));
    const alone: Samples[] = [];
    const beside: Samples[] = [];
    const refusals = { quiet: 0 };
    for (let round = 1; round <= rounds; round += 1) {
      alone.push(await measure(quiet, round, refusals));
      client.begin();
      await pause(1_500);
      beside.push(await measure(quiet, round + 100, refusals));
      const hostileAnswers = await client.end();
      say(
        `${kind}, round ${round}: ${told(alone.at(-1))} alone, ${told(beside.at(-1))} beside; hostile answers ${hostileAnswers}`,
      );
      await removeFiles(hostile, String(searched['id']));
    }
    return [
      none(
        `${kind}: requests of the quiet organization that were refused or failed`,
        refusals.quiet,
      ),
      ...(['reads', 'runs', 'uploads to answer'] as const).map((what) =>
        compared(kind, what, alone, beside),
      ),
    ];
  } finally {
    client?.close();
    await tenants.close();
  }
}

/**
 * What the hostile organization still has in the queue would be processed while the quiet one is
 * measured alone.
 */
async function removeFiles(tenant: Tenant, exceptId: string): Promise<void> {
  for (;;) {
    const { body } = await tenant.files();
    const ids = (Array.isArray(body['files']) ? body['files'] : [])
      .map(({ id }) => String(id))
      .filter((id) => id !== exceptId);
    if (ids.length === 0) break;
    for (const id of ids) await tenant.remove(id);
  }
  await pause(settleMs);
}

/** The p99 over all rounds: a p99 of one round would be little more than its slowest request. */
function compared(kind: Kind, what: Kinds, alone: Samples[], beside: Samples[]): Finding {
  const p99 = (rounds: Samples[]) =>
    percentile(
      rounds.flatMap((samples) => samples[what]),
      99,
    );
  const [before, during] = [p99(alone), p99(beside)];
  const figure = `${kind}: p99 of ${what} beside a hostile organization (${Math.round(during)} ms) by p99 alone (${Math.round(before)} ms), ${alone.length} rounds`;
  return atMost(ratioMax, { figure, value: Number((during / before).toFixed(2)), unit: '×' });
}

const told = (samples: Samples | undefined) =>
  Object.entries(samples ?? {})
    .map(([what, values]) => `${what} ${Math.round(percentile(values, 99))} ms`)
    .join(', ');

async function measure(tenant: Tenant, round: number, refusals = { quiet: 0 }): Promise<Samples> {
  const samples: Samples = { reads: [], runs: [], 'uploads to answer': [] };
  const timed = async (what: Kinds, ask: () => Promise<{ status: number }>) => {
    const startedAt = performance.now();
    const { status } = await ask();
    samples[what].push(performance.now() - startedAt);
    if (status !== 200) refusals.quiet += 1;
  };
  for (let index = 0; index < readsPerRound; index += 1) {
    await timed('reads', () =>
      index % 2 === 0 ? tenant.files() : tenant.send('GET', '/api/assistants/v1/'),
    );
    if (index % (readsPerRound / runsPerRound) === 0)
      await timed('runs', () => tenant.run('When is lunch served?'));
  }
  for (let index = 0; index < uploadsPerRound; index += 1) {
    await timed('uploads to answer', async () => {
      const code = `${round}x${index}y`;
      const { id, processingStatus } = await tenant.uploadAndWait(
        `The code of room ${code} is blue.`,
      );
      const { status } = await tenant.run(`What is the code of room ${code}?`);
      await tenant.remove(String(id));
      return { status: processingStatus === 'COMPLETED' ? status : 500 };
    });
  }
  return samples;
}

type HostileClient = Awaited<ReturnType<typeof startHostileClient>>;

/** The hostile organization's client, in a process of its own. */
async function startHostileClient({ address, seeded }: TwoTenants, documentId: string) {
  const directory = temporaryDirectory();
  const file = join(directory.path, 'organization.json');
  writeFileSync(file, JSON.stringify(seeded.hostile));
  const client = spawn(process.execPath, [clientProgram, address, file, documentId], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(client.stdout)[Symbol.asyncIterator]();
  await lines.next();
  return {
    begin: () => client.stdin.write('begin\n'),
    /** Resolves to the number of its answers by status, once all of them have come. */
    async end(): Promise<string> {
      client.stdin.write('end\n');
      return String((await lines.next()).value);
    },
    close() {
      client.kill('SIGKILL');
      directory.remove();
    },
  };
}
