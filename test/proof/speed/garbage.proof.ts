import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fillOrganization } from '../../bench/fill.ts';
import { fillSponsorship } from '../../bench/fill-sponsorship.ts';
import { atLeast, atMost } from '../../bench/goals.ts';
import { connections, load } from '../../bench/load.ts';
import { type BenchServer, openBenchServer } from '../../bench/postgres.ts';
import { type Server, withServers } from '../../bench/servers.ts';
import { serverUrl } from '../faults/data-location.ts';
import { isPostgresReachable } from '../fuzz/postgres-reachable.ts';
import type { Proof, ProofContext, ProofFinding } from '../proof.ts';

const metricsToken = randomBytes(32).toString('hex');
const warmSeconds = 4;
const readingEveryMs = 100;
const requestsMin = 500;
// An answer has 30 kB. What V8 keeps of the requests in progress is far less for each request.
const kilobytesMax = 5;

export const proof: Proof = {
  claim: 'Young collections free what a request has allocated; nothing waits for a full collection',
  async measure(context) {
    if (!(await isPostgresReachable(serverUrl)))
      return [{ figure: 'garbage of reads', skipped: `no Postgres at ${serverUrl}` }];
    const postgres = await openBenchServer(serverUrl);
    try {
      return await measureGarbage(postgres, context);
    } finally {
      await postgres.close();
    }
  },
};

async function measureGarbage(
  postgres: BenchServer,
  { quick, seed }: ProofContext,
): Promise<ProofFinding[]> {
  const { url, run } = await postgres.createDatabase('garbage');
  const { key, organizationId } = await fillOrganization(run, {
    ...{ slug: 'garbage', users: 5, seed },
    features: ['partnerSponsorship', 'partnerSponsorshipApi'],
  });
  const { largeCampaign } = await fillSponsorship(run, organizationId, {
    ...{ campaigns: 5, links: 200, redemptions: 200 },
  });
  await run('vacuum analyze');
  return withServers({}, { DATABASE_URL: url, METRICS_TOKEN: metricsToken }, async ([own]) => {
    if (!own) throw new Error('the server is missing');
    const { server } = own;
    const request = {
      server,
      key,
      paths: [`/api/sponsorship/v1/campaigns/${largeCampaign}/links`],
    };
    await load({ ...request, seconds: warmSeconds });
    const growth = watchOldGeneration(server);
    const seconds = quick ? 5 : 20;
    const { perSecond } = await load({ ...request, seconds });
    const requests = Math.round(perSecond * seconds);
    const kilobytes = (await growth.end()) / 1_000 / requests;
    return [
      atLeast(requestsMin, { figure: 'reads of 100 links', value: requests, unit: '' }),
      atMost(kilobytesMax, {
        figure: `growth of the old generation for each read, ${connections} at once`,
        value: Number(kilobytes.toFixed(1)),
        unit: 'kB',
      }),
    ];
  });
}

/** Adds up by how much the old generation grows. A full collection in between makes it smaller. */
function watchOldGeneration(server: Server) {
  let isEnding = false;
  const watching = (async () => {
    let growth = 0;
    let before = await oldGenerationBytes(server);
    while (!isEnding) {
      await pause(readingEveryMs);
      const now = await oldGenerationBytes(server);
      growth += Math.max(0, now - before);
      before = now;
    }
    return growth;
  })();
  return {
    end() {
      isEnding = true;
      return watching;
    },
  };
}

async function oldGenerationBytes({ origin }: Server): Promise<number> {
  const text = await (
    await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  ).text();
  const [, bytes] = /nodejs_heap_space_size_used_bytes\{space="old"\} (\S+)/.exec(text) ?? [];
  if (bytes === undefined)
    throw new Error(`the metrics have no size of the old generation: ${text}`);
  return Number(bytes);
}
