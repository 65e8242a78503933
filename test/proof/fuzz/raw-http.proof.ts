import { setTimeout as wait } from 'node:timers/promises';
import { atLeast } from '../../bench/goals.ts';
import { exactlyZero, type Proof } from '../proof.ts';
import { createAnswerChecker, findInternalDetail, processGoals } from './answer-checker.ts';
import { corruptBytes } from './break-body.ts';
import { countHeldConnections } from './held-connections.ts';
import { rawCases } from './raw-cases.ts';
import { type RawServer, rawServers } from './raw-servers.ts';
import { type RawAnswer, sendRaw } from './raw-socket.ts';
import { runConcurrently } from './run-concurrently.ts';
import { seededRandom } from './seeded-random.ts';
import { hangMs, send } from './send.ts';
import { openTarget, vaultSecret } from './target.ts';
import { vaultRequest } from './vault-requests.ts';

const concurrency = 16;
const vaultConcurrency = 4;
const loggedMax = 20;

export const proof: Proof = {
  claim:
    'No bytes sent over a TCP connection cause an answer of 5xx, a connection that stays open, or harm to later requests',
  timed: true,
  async measure({ quick, seed, log }) {
    const target = await openTarget();
    try {
      const servers = await rawServers(target);
      const heapBefore = await target.heapBytes();
      const faults: string[] = [];
      const addFault = (text: string) => {
        faults.push(text);
        if (faults.length <= loggedMax) log(text);
      };
      let requestCount = 0;
      const checkRawAnswer = (
        { name }: RawServer,
        description: string,
        answer: RawAnswer,
        { answersMax = 1, statuses }: { answersMax?: number; statuses?: readonly number[] },
      ) => {
        requestCount += 1;
        const shownAnswer = JSON.stringify(answer.text.slice(0, 300));
        if (!answer.isClosed)
          addFault(
            `${name}: a request that ${description} keeps its connection open: ${shownAnswer}`,
          );
        if (answer.statuses.some((status) => status >= 500))
          addFault(`${name}: a request that ${description} is answered with 5xx: ${shownAnswer}`);
        const finalStatuses = answer.statuses.filter((status) => status !== 100);
        if (finalStatuses.length > answersMax)
          addFault(
            `${name}: a request that ${description} gets ${finalStatuses.length} answers: ${shownAnswer}`,
          );
        if (statuses && finalStatuses[0] !== undefined && !statuses.includes(finalStatuses[0]))
          addFault(
            `${name}: a request that ${description} is answered with ${finalStatuses[0]}, not ${statuses.join(' or ')}: ${shownAnswer}`,
          );
        // The vault reports the paths of its disks to callers with its secret.
        const internalDetail = findInternalDetail(
          name === 'vault' ? answer.text.replaceAll(target.dataDirectory, '') : answer.text,
          target,
        );
        if (internalDetail !== undefined)
          addFault(
            `${name}: the answer to a request that ${description} contains “${internalDetail}”: ${shownAnswer}`,
          );
      };
      const slowMs = await slowMsOf(target.addresses.vault);
      const checker = createAnswerChecker({ target, seed, log, slowMs });
      let unresponsiveServers = 0;
      for (const server of servers) {
        const cases = server.targets.flatMap(rawCases);
        await runConcurrently(cases.length, concurrency, async (index) => {
          const rawCase = cases[index];
          if (rawCase)
            checkRawAnswer(
              server,
              rawCase.name,
              await sendRaw(server.origin, rawCase.pieces, { resets: rawCase.resets ?? false }),
              rawCase,
            );
        });
        const noisyRequests = quick ? 40 : 1_500;
        await runConcurrently(noisyRequests, concurrency, async (index) => {
          const random = seededRandom(seed, index);
          const validRequest = random.pick(server.requests);
          const answer = await sendRaw(
            server.origin,
            [corruptBytes(random, Buffer.from(validRequest, 'latin1'))],
            {
              patienceMs: 300,
            },
          );
          checkRawAnswer(
            server,
            `is noise of seed ${seed}, number ${index}, on ${JSON.stringify(validRequest.slice(0, 60))}`,
            answer,
            { answersMax: 3 },
          );
        });
        if (!(await answersValidRequest(server))) unresponsiveServers += 1;
        log(`${server.name}: ${cases.length} cases, ${noisyRequests} noisy requests`);
        const { name, origin } = server;
        if (name === 'api') continue;
        await runConcurrently(quick ? 60 : 600, vaultConcurrency, async (index) => {
          const request = vaultRequest(seededRandom(seed, index), name);
          const answer = await send(origin, request);
          // The vault reports the paths of its disks to callers with its secret.
          checker.check(
            index,
            origin,
            request,
            answer,
            [],
            /^\/(health|metrics)/.test(request.path),
          );
        });
      }
      const heldConnections = quick ? [] : [await countHeldConnections(servers, log)];
      // The server gets half a second to clean up closed connections before its heap is measured.
      await wait(500);
      return [
        atLeast(quick ? 500 : 5_000, {
          figure: 'broken requests over TCP connections',
          value: requestCount,
          unit: '',
        }),
        exactlyZero(
          'of those, with a wrong answer, internal details or a connection open for over 5 s',
          faults.length,
        ),
        exactlyZero('servers that no longer answered a valid request', unresponsiveServers),
        ...heldConnections,
        ...checker.goals().map((goal) => ({
          ...goal,
          figure: `vault and vector database: ${goal.figure}`,
        })),
        ...(await processGoals(target, heapBefore, log)),
      ];
    } finally {
      await target.stop();
    }
  },
};

async function answersValidRequest({ origin, targets }: RawServer): Promise<boolean> {
  const [rawTarget] = targets;
  if (!rawTarget) return false;
  const { statuses } = await sendRaw(
    origin,
    [`GET ${rawTarget.path} HTTP/1.1\r\nHost: atrium.example\r\n${rawTarget.head}\r\n`],
    { patienceMs: 5_000 },
  );
  return statuses[0] === 200;
}

/**
 * Five seconds, or longer on a machine that needs more than half of that to read a short text: a process
 * is started for each, and most of the requests to the vault are documents.
 */
async function slowMsOf(vaultOrigin = ''): Promise<number> {
  let longestMs = 0;
  await runConcurrently(4 * vaultConcurrency, vaultConcurrency, async (index) => {
    const { ms } = await send(vaultOrigin, {
      method: 'POST',
      path: '/v1/extract',
      headers: { authorization: `Bearer ${vaultSecret}`, 'content-type': 'text/plain' },
      body: Buffer.from('a short text'),
    });
    // The first ones load the code of the readers from the disk.
    if (index >= vaultConcurrency) longestMs = Math.max(longestMs, ms);
  });
  return Math.max(hangMs, 2 * longestMs);
}
