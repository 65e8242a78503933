import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { atLeast, atMost, below } from '../../bench/goals.ts';
import { openTarget } from '../fuzz/target.ts';
import { exactlyZero, type Proof } from '../proof.ts';
import { type LatencyWatch, watchLatency } from './livez-watch.ts';

const parallel = 20;
const growthMegabytesMax = 100;
const readMsMax = 1_000;
const roundsMax = 4;
// The largest size that the files of one run may have.
const fileBytes = 25_000_000;
const megabyte = 1_048_576;
// No document format starts with these bytes, so the server refuses the file without reading it.
// The proof measures only how files are received.
const content = Buffer.alloc(fileBytes, 0xff);

export const proof: Proof = {
  claim: `${parallel} simultaneous runs with the largest files take at most ${growthMegabytesMax} MB of memory, and other organizations are served meanwhile`,
  long: true,
  async measure({ quick, log }) {
    const target = await openTarget();
    let watch: LatencyWatch | undefined;
    try {
      const [own, other] = target.organizations;
      watch = await watchLatency(`${target.address}/api/assistants/v1`, {
        authorization: `Bearer ${other?.users[0]?.userKey}`,
      });
      const key = own?.users[0]?.userKey ?? '';
      const run = async (bytes: number): Promise<string> => {
        const form = new FormData();
        form.append('messages', JSON.stringify([{ role: 'user', content: 'price' }]));
        form.append('files', new Blob([content.subarray(0, bytes)]), 'noise.bin');
        const request = { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: form };
        return fetch(
          `${target.address}/api/assistants/v1/${own?.assistants[0]?.id}/run`,
          request,
        ).then(
          async (answer) => {
            await answer.arrayBuffer();
            return String(answer.status);
          },
          // A client that is still sending when the refusal arrives may lose its connection.
          () => 'cut off',
        );
      };
      // A warm-up, so that the growth contains only what each further run adds.
      let expectedOutcome = '';
      for (let count = 0; count < 3; count += 1)
        expectedOutcome = await run(count === 0 ? fileBytes : megabyte);
      const megabytesBefore = await residentMegabytes(target.process.pid);
      let maxMegabytes = megabytesBefore;
      let isStopped = false;
      const trackMemory = async () => {
        for (; !isStopped; await pause(20))
          maxMegabytes = Math.max(maxMegabytes, await residentMegabytes(target.process.pid));
      };
      const outcomes: string[] = [];
      const watching = trackMemory();
      let slowestReadMs = Number.POSITIVE_INFINITY;
      // A busy machine delays single reads. A delay counts only if it occurs in every round.
      const rounds = quick ? 1 : 3;
      for (
        let round = 0;
        round < rounds || (slowestReadMs >= readMsMax && round < roundsMax);
        round += 1
      ) {
        const readMs = await watch.during(async () => {
          outcomes.push(
            ...(await Promise.all(Array.from({ length: parallel }, () => run(fileBytes)))),
          );
        });
        slowestReadMs = Math.min(slowestReadMs, readMs);
      }
      isStopped = true;
      await watching;
      const statuses = Object.groupBy(outcomes, (outcome) => outcome);
      log(
        `answers: ${Object.entries(statuses)
          .map(([status, all = []]) => `${all.length} × ${status}`)
          .join(
            ', ',
          )}; ${megabytesBefore.toFixed(0)} MB before, at most ${maxMegabytes.toFixed(0)} MB during the runs`,
      );
      const afterwards = await run(megabyte);
      return [
        atMost(growthMegabytesMax, {
          figure: `growth of resident memory during ${parallel} simultaneous runs with ${fileBytes / 1e6} MB each`,
          value: maxMegabytes - megabytesBefore,
          unit: 'MB',
        }),
        below(readMsMax, {
          figure: 'slowest read of another organization meanwhile, one every 20 ms',
          value: slowestReadMs,
          unit: 'ms',
        }),
        atLeast(1, {
          figure: 'of those runs, received ones',
          value: outcomes.filter((outcome) => outcome === expectedOutcome).length,
          unit: '',
        }),
        exactlyZero(
          'small runs afterwards with another answer than before',
          afterwards === expectedOutcome ? 0 : 1,
        ),
      ];
    } finally {
      await watch?.end();
      await target.stop();
    }
  },
};

async function residentMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}
