import { below } from '../../bench/goals.ts';
import { modelProvider } from '../../support/model-provider.ts';
import { readLiveIds } from '../fuzz/live-ids.ts';
import { send } from '../fuzz/send.ts';
import { type FuzzTarget, openTarget } from '../fuzz/target.ts';
import type { Proof, ProofFinding } from '../proof.ts';
import type { AttackRequest } from './attack-request.ts';
import { authAttacks, signInBlockingAttacks } from './auth-attacks.ts';
import type { DemoPerson } from './demo-people.ts';
import { graphAttacks } from './graph-attacks.ts';
import { type LatencyWatch, watchLivez } from './livez-watch.ts';
import { headAttacks, restAttacks } from './rest-attacks.ts';
import { knownBlockingAttacks, runAttacks } from './run-attacks.ts';
import { vaultAttacks } from './vault-attacks.ts';

const lateMs = 250;
// A busy machine delays single answers. A request counts only if it delays /livez in each of three
// tries.
const triesMax = 3;
// Beyond 2 s the request itself is the cause, so it is not repeated.
const noRetryMs = 2_000;
const quietMs = 3_000;

export const proof: Proof = {
  claim: `No single request, whatever it contains, delays /livez by ${lateMs} ms`,
  timed: true,
  async measure({ quick, log }) {
    const provider = await modelProvider(
      (request) => ({ text: hostileText(String(request.messages.at(-1)?.content)) }),
      ['model'],
    );
    try {
      const findings: ProofFinding[] = [];
      for (const database of quick ? [undefined] : (['postgres', 'embedded'] as const)) {
        const target = await openTarget({
          database,
          settings: { MODEL_PROVIDERS: JSON.stringify({ hostile: { baseUrl: provider.baseUrl } }) },
        });
        const watch = await watchLivez(target.address);
        try {
          const idleMs = await watch.whileIdle(quick ? 500 : quietMs);
          const attacks = await createAttacks(target, quick);
          log(
            `${target.database}: ${attacks.length} requests; without load the slowest answer of /livez takes ${idleMs.toFixed(0)} ms`,
          );
          const outcomes = await sendAttacks(target, watch, attacks, log);
          const slowestFirst = outcomes.toSorted((first, second) => second.delayMs - first.delayMs);
          for (const { name, delayMs, status } of slowestFirst.slice(0, 10))
            log(`${delayMs.toFixed(0).padStart(6)} ms  ${name} (${status})`);
          const [slowest] = slowestFirst;
          findings.push(
            below(lateMs, {
              figure: `${target.database}: slowest /livez during ${attacks.length} requests (${slowest?.name})`,
              value: slowest?.delayMs ?? 0,
              unit: 'ms',
            }),
          );
        } finally {
          await watch.end();
          await target.stop();
        }
      }
      return findings;
    } finally {
      await provider.close();
    }
  },
};

async function sendAttacks(
  target: FuzzTarget,
  watch: LatencyWatch,
  attacks: readonly AttackRequest[],
  log: (line: string) => void,
) {
  const outcomes: { name: string; delayMs: number; status: string }[] = [];
  for (const { name, to, build } of attacks) {
    const request = build();
    let status = '';
    const attack = async () => {
      const answer = await send(target.addresses[to] ?? target.address, request);
      status = 'failure' in answer ? answer.failure : String(answer.status);
    };
    let delayMs = await watch.during(attack);
    for (
      let attempts = 1;
      delayMs >= lateMs && delayMs < noRetryMs && attempts < triesMax;
      attempts += 1
    )
      delayMs = Math.min(delayMs, await watch.during(attack));
    if (delayMs >= lateMs) log(`${delayMs.toFixed(0)} ms  ${name} (${status})`);
    outcomes.push({ name, delayMs, status });
    if (outcomes.length % 500 === 0) log(`${outcomes.length} of ${attacks.length} requests`);
  }
  return outcomes;
}

async function createAttacks(target: FuzzTarget, quick: boolean): Promise<AttackRequest[]> {
  const [own] = target.organizations;
  const [administrator] = own?.users ?? [];
  if (!own || !administrator) throw new Error('an organization with an administrator is needed');
  const keys = { organization: own.organizationKey, user: administrator.userKey };
  const liveIds = await readLiveIds(target);
  const ids = {
    ...liveIds.files[0],
    assistantId: own.assistants[0]?.id ?? '',
    campaignId: liveIds.campaignId[0] ?? '',
    linkId: liveIds.linkId[0] ?? '',
    redemptionId: liveIds.redemptionId[0] ?? '',
    userId: liveIds.userId[0] ?? '',
    teamId: liveIds.teamId[0] ?? '',
  };
  const hostileAssistantId = await createHostileAssistant(target, keys.user);
  const runTargets = { key: keys.user, assistantId: ids.assistantId, hostileAssistantId };
  const session = { cookie: await sessionCookie(target, administrator), origin: target.address };
  const blockingAttacks = [...signInBlockingAttacks(session), ...knownBlockingAttacks(runTargets)];
  if (quick) return blockingAttacks;
  return [
    ...blockingAttacks,
    ...runAttacks(runTargets),
    ...vaultAttacks(),
    ...headAttacks(keys, ids),
    ...restAttacks(keys, ids),
    ...authAttacks(session),
    ...graphAttacks(
      [
        session,
        { authorization: `Bearer ${keys.user}` },
        { authorization: `Bearer ${keys.organization}` },
      ],
      ids,
    ),
  ];
}

async function sessionCookie(
  { address }: FuzzTarget,
  { email, password }: DemoPerson,
): Promise<string> {
  const answer = await fetch(`${address}/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address },
    body: JSON.stringify({ email, password }),
  });
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  if (cookies.length === 0) throw new Error(`signing in answered ${answer.status}`);
  return cookies.join('; ');
}

/** Creates an assistant whose model answers with the text that the question describes. */
async function createHostileAssistant({ address }: FuzzTarget, key: string): Promise<string> {
  const answer = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query:
        'mutation { createAssistant(input: { name: "Hostile", model: "hostile/model" }) { assistant { id } } }',
    }),
  });
  const text = await answer.text();
  const id = /"id":"([^"]+)"/.exec(text)?.[1];
  if (id === undefined) throw new Error(`no assistant was created: ${text}`);
  return id;
}

function hostileText(content: string): string {
  const [count = '', what] = content.split(' ');
  return what === 'markers'
    ? 'word [1] '.repeat(Number(count) / 9)
    : what === 'blanks'
      ? ' '.repeat(Number(count))
      : 'Hello.';
}
