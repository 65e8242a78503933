import { setTimeout as pause } from 'node:timers/promises';
import { atMost } from '../../bench/goals.ts';
import { median, percentile } from '../../bench/statistics.ts';
import type { Kind } from '../faults/place.ts';
import { type Finding, none, type Proof } from '../proof.ts';
import { openTwoTenants, type Tenant } from './two-tenants.ts';

const readsPerRound = 40;
const runsPerRound = 10;
const settings = { USER_KEY_LIMIT: '6000' };
const ratioMax = 2;
// Below that, a difference is one time slice of the scheduler and says nothing about who was served first.
const noiseMs = 10;

export const proof: Proof = {
  claim: 'An organization that searches, runs, uploads and queues files as much as it can does not slow down another: its p99 is at most twice its p99 alone',
  long: true,
  async attempt({ quick, say }) {
    const rounds = quick ? 2 : 6;
    return [...(await besideHostile('postgres', rounds, say)), ...(await besideHostile('embedded', rounds, say))];
  },
};

type Kinds = 'reads' | 'runs' | 'uploads to answer';
type Samples = Record<Kinds, number[]>;

async function besideHostile(kind: Kind, rounds: number, say: (line: string) => void): Promise<Finding[]> {
  const tenants = await openTwoTenants(kind, settings);
  const { hostile, quiet } = tenants;
  try {
    const searched = await hostile.uploadAndWait('Nothing of this file matters to anybody.');
    await quiet.uploadAndWait('Lunch is served from 11:30.');
    await hostile.run('warm');
    await measure(quiet, 0);
    const alone: Samples[] = [];
    const beside: Samples[] = [];
    const refusals = { quiet: 0 };
    for (let round = 1; round <= rounds; round += 1) {
      alone.push(await measure(quiet, round, refusals));
      const attack = startAttack(hostile, String(searched['id']));
      await pause(1_500);
      beside.push(await measure(quiet, round + 100, refusals));
      await attack.stop();
      say(`${kind}, round ${round}: ${told(alone.at(-1))} alone, ${told(beside.at(-1))} beside; hostile answers ${JSON.stringify(attack.statuses)}`);
    }
    return [
      none(`${kind}: requests of the quiet organization that were refused or failed`, refusals.quiet),
      ...(['reads', 'runs', 'uploads to answer'] as const).map((what) => compared(kind, what, alone, beside)),
    ];
  } finally {
    await tenants.close();
  }
}

/** The median over the rounds of what p99 beside is of p99 alone: one p99 of a round on a machine with two cores is noise. */
function compared(kind: Kind, what: Kinds, alone: Samples[], beside: Samples[]): Finding {
  const ratios = alone.map((samples, round) => {
    const [before, during] = [percentile(samples[what], 99), percentile(beside[round]?.[what] ?? [], 99)];
    return during - before < noiseMs ? 1 : during / before;
  });
  const pooled = (all: Samples[]) =>
    Math.round(
      percentile(
        all.flatMap((samples) => samples[what]),
        99,
      ),
    );
  const figure = `${kind}: p99 of ${what} beside a hostile organization (${pooled(beside)} ms over all rounds) by p99 alone (${pooled(alone)} ms), median of ${ratios.length} rounds`;
  return atMost(ratioMax, { figure, value: Number(median(ratios).toFixed(2)), unit: '×' });
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
    await timed('reads', () => (index % 2 === 0 ? tenant.files() : tenant.send('GET', '/api/assistants/v1/')));
    if (index % (readsPerRound / runsPerRound) === 0) await timed('runs', () => tenant.run('When is lunch served?'));
  }
  for (let index = 0; index < 2; index += 1) {
    await timed('uploads to answer', async () => {
      const code = `${round}x${index}y`;
      const { id, processingStatus } = await tenant.uploadAndWait(`The code of room ${code} is blue.`);
      const { status } = await tenant.run(`What is the code of room ${code}?`);
      await tenant.remove(String(id));
      return { status: processingStatus === 'COMPLETED' ? status : 500 };
    });
  }
  return samples;
}

/** Everything at once, each as fast as it is answered. What the program refuses is asked again. */
function startAttack(hostile: Tenant, documentId: string) {
  let isOver = false;
  const statuses: Record<string, number> = {};
  const excerpt = `assistantFileExcerpt(assistantId: "${hostile.assistantId}", documentId: "${documentId}", start: 0, end: 20) { parts { text } }`;
  const aliases = `{ ${Array.from({ length: 20 }, (_, index) => `a${index}: ${excerpt}`).join(' ')} }`;
  const loop = async (ask: () => Promise<{ status: number }>) => {
    while (!isOver) {
      const status = await ask().then(
        (answer) => answer.status,
        () => 0,
      );
      statuses[status] = (statuses[status] ?? 0) + 1;
      // As a client that heeds no Retry-After, but is not a mere flood of packets, which is a matter of the network.
      if (status !== 200) await pause(50);
    }
  };
  const times = (count: number, ask: () => Promise<{ status: number }>) => Array.from({ length: count }, () => loop(ask));
  const loops = [
    ...times(8, () => hostile.graph(aliases)),
    ...times(8, () => hostile.run('Which of these words and sentences say anything at all about the travel expenses?')),
    ...times(6, () => hostile.upload(wordsOf(200_000))),
  ];
  return {
    statuses,
    async stop() {
      isOver = true;
      await Promise.all(loops);
    },
  };
}

/** Words that no other file has. */
const wordsOf = (bytes: number) =>
  Array.from({ length: bytes / 10 }, () => Math.random().toString(36).slice(2, 11))
    .join(' ')
    .replaceAll(/((?:\S+ ){12})/g, '$1\n');
