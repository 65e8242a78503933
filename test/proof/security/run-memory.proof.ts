import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { atLeast, atMost, below } from '../../bench/goals.ts';
import { openTarget } from '../fuzz/target.ts';
import { none, type Proof } from '../proof.ts';
import { type Watch, watchAnswers } from './livez-watch.ts';

const parallel = 20;
const growthMegabytesMax = 100;
const readMsMax = 1_000;
const roundsMax = 4;
// As large as the files of one run may be.
const fileBytes = 25_000_000;
const megabyte = 1_048_576;
// No kind of document begins like this, so that it is refused unread: this is about receiving.
const content = Buffer.alloc(fileBytes, 0xff);

export const proof: Proof = {
  claim: `${parallel} runs with the largest files at once take at most ${growthMegabytesMax} MB of memory, and others are served meanwhile`,
  long: true,
  async attempt({ quick, say }) {
    const target = await openTarget();
    let watch: Watch | undefined;
    try {
      const [own, other] = target.organizations;
      watch = await watchAnswers(`${target.address}/api/assistants/v1`, {
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
          // Whoever still sends when the refusal comes may lose the connection.
          () => 'cut off',
        );
      };
      // What every run loads is loaded; this is about what each of many adds.
      let usual = '';
      for (let count = 0; count < 3; count += 1)
        usual = await run(count === 0 ? fileBytes : megabyte);
      const before = await residentMegabytes(target.process.pid);
      let most = before;
      let isOver = false;
      const look = async () => {
        for (; !isOver; await pause(20))
          most = Math.max(most, await residentMegabytes(target.process.pid));
      };
      const outcomes: string[] = [];
      const watching = look();
      let slowestReadMs = Number.POSITIVE_INFINITY;
      // A machine that does other things delays a read now and then. What delays one in each round
      // is ours.
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
      isOver = true;
      await watching;
      const statuses = Object.groupBy(outcomes, (outcome) => outcome);
      say(
        `answers: ${Object.entries(statuses)
          .map(([status, all = []]) => `${all.length} × ${status}`)
          .join(', ')}; ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most`,
      );
      const again = await run(megabyte);
      return [
        atMost(growthMegabytesMax, {
          figure: `growth of the resident memory while ${parallel} runs with ${fileBytes / 1e6} MB each are sent at once`,
          value: most - before,
          unit: 'MB',
        }),
        below(readMsMax, {
          figure: 'the slowest of the reads of another organization meanwhile, one every 20 ms',
          value: slowestReadMs,
          unit: 'ms',
        }),
        atLeast(1, {
          figure: 'of those runs were received',
          value: outcomes.filter((outcome) => outcome === usual).length,
          unit: '',
        }),
        none('small runs right after that were not answered as before', again === usual ? 0 : 1),
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
