import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { atMost } from '../../bench/goals.ts';
import { percentile } from '../../bench/statistics.ts';
import { temporaryDirectory } from '../../support/process.ts';
import type { DatabaseKind } from '../faults/data-location.ts';
import { exactlyZero, type Proof, type ProofFinding } from '../proof.ts';
import { openTwoTenants, type Tenant, type TwoTenants } from './two-tenants.ts';

const clientProgram = fileURLToPath(new URL('./hostile-client.ts', import.meta.url));
const readsPerRound = 150;
const runsPerRound = 30;
// With fewer, the p99 over all rounds would be that of the slowest upload.
const uploadsPerRound = 20;
const settings = { USER_KEY_LIMIT: '6000' };
const ratioMax = 2;
// The client of the quiet organization waits for no processor, as on a machine of its own.
const measuringPriority = -10;
const usualPriority = getPriority();
// The vault needs about two seconds to remove deleted files and to merge what is left.
const settleMs = 4_000;

export const proof: Proof = {
  claim:
    'An organization that sends as many searches, runs and uploads as it can at most doubles the p99 of another organization',
  long: true,
  async measure({ quick, log }) {
    const rounds = quick ? 2 : 12;
    return [
      ...(await measureWithHostile('postgres', rounds, log)),
      ...(await measureWithHostile('embedded', rounds, log)),
    ];
  },
};

type RequestKind = 'reads' | 'runs' | 'uploads to answer';
type TimingSamples = Record<RequestKind, number[]>;

async function measureWithHostile(
  kind: DatabaseKind,
  rounds: number,
  log: (line: string) => void,
): Promise<ProofFinding[]> {
  const tenants = await openTwoTenants(kind, settings);
  const { hostile, quiet } = tenants;
  let client: HostileClient | undefined;
  try {
    const searchedFile = await hostile.uploadAndWait('Nothing of this file matters to anybody.');
    await quiet.uploadAndWait('Lunch is served from 11:30.');
    await hostile.run('warm');
    client = await startHostileClient(tenants, String(searchedFile['id']));
    prioritizeOwnThreads(measuringPriority);
    // Once without measuring, so that V8 has compiled the code of both organizations.
    client.begin();
    await measureRound(quiet, 0);
    await client.end();
    await removeFiles(hostile, String(searchedFile['id']));
    const aloneSamples: TimingSamples[] = [];
    const loadedSamples: TimingSamples[] = [];
    const refusals = { quiet: 0 };
    for (let round = 1; round <= rounds; round += 1) {
      aloneSamples.push(await measureRound(quiet, round, refusals));
      client.begin();
      await pause(1_500);
      loadedSamples.push(await measureRound(quiet, round + 100, refusals));
      const hostileAnswers = await client.end();
      log(
        `${kind}, round ${round}: alone ${formatP99(aloneSamples.at(-1))}; with the hostile organization ${formatP99(loadedSamples.at(-1))}; hostile answers ${hostileAnswers}`,
      );
      await removeFiles(hostile, String(searchedFile['id']));
    }
    return [
      exactlyZero(`${kind}: refused or failed requests of the quiet organization`, refusals.quiet),
      ...(['reads', 'runs', 'uploads to answer'] as const).map((what) =>
        compareP99(kind, what, aloneSamples, loadedSamples),
      ),
    ];
  } finally {
    prioritizeOwnThreads(usualPriority);
    client?.close();
    await tenants.close();
  }
}

/**
 * Sets the priority of the threads of this process, which sends the requests of the quiet
 * organization. Programs that were started before keep theirs.
 */
function prioritizeOwnThreads(priority: number): void {
  if (process.platform !== 'linux') return;
  for (const threadId of readdirSync('/proc/self/task'))
    try {
      setPriority(Number(threadId), priority);
    } catch {
      // Only some users may raise it. Without that, the figures contain waits of this client.
    }
}

/**
 * Removes the files of the hostile organization. Otherwise its queue would still be processed while
 * the quiet organization is measured alone.
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

/**
 * Compares the p99 over all rounds; the p99 of one round is hardly more than its slowest request.
 */
function compareP99(
  kind: DatabaseKind,
  what: RequestKind,
  aloneSamples: TimingSamples[],
  loadedSamples: TimingSamples[],
): ProofFinding {
  const p99 = (rounds: TimingSamples[]) =>
    percentile(
      rounds.flatMap((samples) => samples[what]),
      99,
    );
  const [before, during] = [p99(aloneSamples), p99(loadedSamples)];
  const figure = `${kind}: p99 of ${what} with a hostile organization (${Math.round(during)} ms) relative to alone (${Math.round(before)} ms), ${aloneSamples.length} rounds`;
  return atMost(ratioMax, { figure, value: Number((during / before).toFixed(2)), unit: '×' });
}

const formatP99 = (samples: TimingSamples | undefined) =>
  Object.entries(samples ?? {})
    .map(([what, values]) => `${what} ${Math.round(percentile(values, 99))} ms`)
    .join(', ');

async function measureRound(
  tenant: Tenant,
  round: number,
  refusals = { quiet: 0 },
): Promise<TimingSamples> {
  const samples: TimingSamples = { reads: [], runs: [], 'uploads to answer': [] };
  const measureRequest = async (
    what: RequestKind,
    sendRequest: () => Promise<{ status: number }>,
  ) => {
    const startedAt = performance.now();
    const { status } = await sendRequest();
    samples[what].push(performance.now() - startedAt);
    if (status !== 200) refusals.quiet += 1;
  };
  for (let index = 0; index < readsPerRound; index += 1) {
    await measureRequest('reads', () =>
      index % 2 === 0 ? tenant.files() : tenant.send('GET', '/api/assistants/v1/'),
    );
    if (index % (readsPerRound / runsPerRound) === 0)
      await measureRequest('runs', () => tenant.run('When is lunch served?'));
  }
  for (let index = 0; index < uploadsPerRound; index += 1) {
    await measureRequest('uploads to answer', async () => {
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

/**
 * Starts the client of the hostile organization in a separate process. In production it runs on
 * another machine, so here it leaves the processors to the server, with all of its threads: a
 * process can lower only its main thread.
 */
async function startHostileClient({ address, seeded }: TwoTenants, documentId: string) {
  const directory = temporaryDirectory();
  const file = join(directory.path, 'organization.json');
  writeFileSync(file, JSON.stringify(seeded.hostile));
  const command = [process.execPath, clientProgram, address, file, documentId];
  const client = spawn('nice', ['-n', '19', ...command], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(client.stdout)[Symbol.asyncIterator]();
  await lines.next();
  return {
    begin: () => client.stdin.write('begin\n'),
    /** Stops sending, and returns the number of answers by status once all have arrived. */
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
