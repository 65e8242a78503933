import { atLeast } from '../../bench/goals.ts';
import { committedDocument, faultsOfAnswer } from '../../support/openapi.ts';
import type { Proof } from '../proof.ts';
import { brokenAsk } from './break-request.ts';
import { chanceOf } from './chance.ts';
import { inTurn } from './in-turn.ts';
import { createJudge, goalsOfProcess } from './judge.ts';
import { forget, type LiveIds, learn, learnFile, readLiveIds } from './live-ids.ts';
import { askOf, type Draft, type Keys, validDraft } from './rest-requests.ts';
import { type Ask, type Got, send } from './send.ts';
import { openTarget, type Target } from './target.ts';

const abreast = 4;

export const proof: Proof = {
  claim:
    'no REST request, valid or broken, brings an answer of 5xx, a hang, or a word about what is inside',
  async attempt({ quick, seed, say }) {
    const count = quick ? 500 : 10_000;
    const target = await openTarget();
    try {
      const ids = await readLiveIds(target);
      const keys = keysOf(target);
      const judge = createJudge({ target, seed, say });
      let heapBefore = 0;
      let fine = 0;
      await inTurn(count, abreast, async (index) => {
        if (index === count / 5) heapBefore = await target.heapBytes();
        if (index > 0 && index % 2_000 === 0) say(`${index} requests`);
        const chance = chanceOf(seed, index);
        const draft = validDraft(chance, ids, keys);
        const isValid = index % 2 === 0;
        const ask = isValid ? askOf(draft) : brokenAsk(chance, draft, keys);
        const got = await send(target.address, ask);
        judge.look(
          index,
          target.address,
          ask,
          got,
          'lost' in got
            ? []
            : [...contractFaults(ask, got), ...(isValid ? refusals(draft, got) : [])],
          /\/content\b/.test(ask.path),
        );
        if (!('lost' in got) && got.status < 300) {
          if (isValid) fine += 1;
          learnFrom(ids, ask, got);
        }
      });
      return [
        atLeast(count, { figure: 'REST requests, half of them valid', value: count, unit: '' }),
        atLeast(60, {
          figure: 'valid requests that were done',
          value: (fine / (count / 2)) * 100,
          unit: '%',
        }),
        ...judge.goals(),
        ...(await goalsOfProcess(target, heapBefore, say)),
      ];
    } finally {
      await target.stop();
    }
  },
};

function keysOf({ organizations: [own, other, plain] }: Target): Keys {
  if (!own || !other || !plain) throw new Error('three organizations are needed');
  return {
    organization: own.organizationKey,
    user: own.users.slice(0, 2).map(({ userKey }) => userKey),
    wrong: [
      plain.organizationKey,
      other.organizationKey,
      other.users[0]?.userKey ?? '',
      `${own.organizationKey.slice(0, -1)}x`,
      'sk_svc_',
      'null',
    ],
  };
}

// Node itself refuses what is no HTTP or too long, before any of our code, with an empty body.
const ofTheParser = (got: Got) =>
  (got.status === 400 || got.status === 431 || got.status === 417) &&
  got.body.length === 0 &&
  !got.headers.has('x-request-id');

// Such a host would say where the path begins: it is refused before there is a path that the
// contract could speak of.
const hasNoHost = ({ headers }: Ask, { status }: Got) =>
  status === 400 && /[/?#\\@]/.test(String(headers['host'] ?? ''));

function contractFaults(ask: Ask, got: Got): string[] {
  const { method, path, headers } = ask;
  const [pathname = ''] = path.split('?');
  if (ofTheParser(got) || hasNoHost(ask, got) || !/^\/api(\/|$)/.test(pathname)) return [];
  if (
    got.headers.get('content-type') === 'text/event-stream; charset=utf-8' &&
    headers['accept'] === 'text/event-stream'
  )
    return [];
  return faultsOfAnswer(
    { status: got.status, headers: got.headers, body: parsed(got.body) },
    method,
    pathname,
  );
}

const neverForValid = [400, 401, 405, 408, 413, 415];

/** A valid request is done, or is refused for the state of things: never for what it says. */
function refusals({ template, method }: Draft, { status }: Got): string[] {
  const place =
    committedDocument.paths[template]?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
      ?.responses[status];
  // The document tells of its own what else than bad input is 400.
  const dependsOnState = place !== undefined && !('$ref' in place);
  return neverForValid.includes(status) && !dependsOnState
    ? ['the document admits this request']
    : [];
}

function learnFrom(ids: LiveIds, { method, path }: Ask, { body }: Got): void {
  if (method === 'DELETE') forget(ids, path);
  if (method !== 'POST' && method !== 'PUT') return;
  const { campaign, link, team, user, file } = Object(parsed(body)) as Record<
    string,
    { id?: string } | undefined
  >;
  learn(ids.campaignId, campaign?.id);
  learn(ids.linkId, link?.id);
  learn(ids.teamId, team?.id);
  if (/\/users$/.test(path)) learn(ids.userId, user?.id);
  const [, assistantId] = /\/assistants\/([^/]+)\/files/.exec(path) ?? [];
  if (file?.id && assistantId) learnFile(ids, { assistantId, documentId: file.id });
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
