import { setTimeout as wait } from 'node:timers/promises';
import { atLeast } from '../../bench/goals.ts';
import { none, type Proof } from '../proof.ts';
import { noisy } from './break-body.ts';
import { chanceOf } from './chance.ts';
import { inTurn } from './in-turn.ts';
import { createJudge, goalsOfProcess, tellsOfInside } from './judge.ts';
import { rawCases } from './raw-cases.ts';
import { doorsOf, type ServerDoors } from './raw-doors.ts';
import { heldTooLong } from './raw-waiting.ts';
import { send } from './send.ts';
import { type Heard, shoot } from './socket.ts';
import { openTarget } from './target.ts';
import { vaultAsk } from './vault-requests.ts';

const abreast = 16;
const shownMax = 20;

export const proof: Proof = {
  claim:
    'nothing that is sent over a bare connection brings an answer of 5xx, holds it, or harms who comes next',
  async attempt({ quick, seed, say }) {
    const target = await openTarget();
    try {
      const servers = await doorsOf(target);
      const heapBefore = await target.heapBytes();
      const faults: string[] = [];
      const fault = (text: string) => {
        faults.push(text);
        if (faults.length <= shownMax) say(text);
      };
      let shots = 0;
      const judge = (
        { name }: ServerDoors,
        what: string,
        heard: Heard,
        { answersMax = 1, statuses }: { answersMax?: number; statuses?: readonly number[] },
      ) => {
        shots += 1;
        const told = JSON.stringify(heard.text.slice(0, 300));
        if (!heard.closed) fault(`${name}: what ${what} is held open: ${told}`);
        if (heard.statuses.some((status) => status >= 500))
          fault(`${name}: what ${what} is answered with 5xx: ${told}`);
        const final = heard.statuses.filter((status) => status !== 100);
        if (final.length > answersMax)
          fault(`${name}: what ${what} is answered ${final.length} times: ${told}`);
        if (statuses && final[0] !== undefined && !statuses.includes(final[0]))
          fault(
            `${name}: what ${what} is answered ${final[0]}, not ${statuses.join(' or ')}: ${told}`,
          );
        // Where its disks are the vault tells whoever has its secret.
        const inside = tellsOfInside(
          name === 'vault' ? heard.text.replaceAll(target.dataDirectory, '') : heard.text,
          target,
        );
        if (inside !== undefined) fault(`${name}: what ${what} is told of “${inside}”: ${told}`);
      };
      const asked = createJudge({ target, seed, say });
      let unserved = 0;
      for (const server of servers) {
        const cases = server.doors.flatMap(rawCases);
        await inTurn(cases.length, abreast, async (index) => {
          const raw = cases[index];
          if (raw)
            judge(
              server,
              raw.name,
              await shoot(server.origin, raw.pieces, { resets: raw.resets ?? false }),
              raw,
            );
        });
        const noises = quick ? 40 : 1_500;
        await inTurn(noises, abreast, async (index) => {
          const chance = chanceOf(seed, index);
          const honest = chance.pick(server.requests);
          const heard = await shoot(server.origin, [noisy(chance, Buffer.from(honest, 'latin1'))], {
            patienceMs: 300,
          });
          judge(
            server,
            `is noise of seed ${seed}, number ${index}, on ${JSON.stringify(honest.slice(0, 60))}`,
            heard,
            { answersMax: 3 },
          );
        });
        if (!(await isServed(server))) unserved += 1;
        say(`${server.name}: ${cases.length} cases, ${noises} times noise`);
        const { name, origin } = server;
        if (name === 'api') continue;
        await inTurn(quick ? 60 : 600, 4, async (index) => {
          const ask = vaultAsk(chanceOf(seed, index), name);
          const got = await send(origin, ask);
          // Where its disks are the vault tells whoever has its secret.
          asked.look(index, origin, ask, got, [], /^\/(health|metrics)/.test(ask.path));
        });
      }
      const held = quick ? [] : [await heldTooLong(servers, say)];
      // What was cut off may be cleared away before memory is looked at.
      await wait(500);
      return [
        atLeast(quick ? 500 : 5_000, {
          figure: 'broken requests over bare connections',
          value: shots,
          unit: '',
        }),
        none('that were answered wrongly, told too much or were held over 5 s', faults.length),
        none('servers that no longer answered an honest request', unserved),
        ...held,
        ...asked.goals().map((goal) => ({
          ...goal,
          figure: `of the vault’s and the vector database’s calls: ${goal.figure}`,
        })),
        ...(await goalsOfProcess(target, heapBefore, say)),
      ];
    } finally {
      await target.stop();
    }
  },
};

async function isServed({ origin, doors }: ServerDoors): Promise<boolean> {
  const [door] = doors;
  if (!door) return false;
  const { statuses } = await shoot(
    origin,
    [`GET ${door.path} HTTP/1.1\r\nHost: atrium.example\r\n${door.head}\r\n`],
    { patienceMs: 5_000 },
  );
  return statuses[0] === 200;
}
