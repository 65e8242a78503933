import { errorCatalogue } from '../../../src/platform/errors.ts';
import { atLeast } from '../../bench/goals.ts';
import type { Proof } from '../proof.ts';
import { chanceOf } from './chance.ts';
import { brokenQuestion, type Viewers, validQuestion } from './graph-requests.ts';
import { inTurn } from './in-turn.ts';
import { createJudge, goalsOfProcess } from './judge.ts';
import { type LiveIds, learn, readLiveIds } from './live-ids.ts';
import { type Ask, type Got, send } from './send.ts';
import { openTarget, type Target } from './target.ts';

const abreast = 4;

export const proof: Proof = {
  claim:
    'no GraphQL operation, valid or broken, brings an error that nobody meant to be read, or a hang',
  async attempt({ quick, seed, say }) {
    const count = quick ? 300 : 5_000;
    const target = await openTarget();
    try {
      const ids = await readLiveIds(target);
      const viewers = await viewersOf(target);
      const judge = createJudge({ target, seed, say });
      let heapBefore = 0;
      let withData = 0;
      await inTurn(count, abreast, async (index) => {
        if (index === count / 5) heapBefore = await target.heapBytes();
        if (index > 0 && index % 1_000 === 0) say(`${index} operations`);
        const chance = chanceOf(seed, index);
        const isValid = index % 2 === 0;
        const ask = isValid
          ? validQuestion(chance, ids, viewers)
          : brokenQuestion(chance, ids, viewers);
        const got = await send(target.address, ask);
        const answers = 'lost' in got ? [] : answersIn(got);
        judge.look(
          index,
          target.address,
          ask,
          got,
          'lost' in got
            ? []
            : [...faultsOf(ask, got, answers), ...(isValid ? refusals(answers) : [])],
        );
        if (isValid && answers.some(({ data }) => data)) withData += 1;
        if (isValid) for (const { data } of answers) learnFrom(ids, data);
      });
      return [
        atLeast(count, {
          figure: 'GraphQL operations, half of them valid',
          value: count,
          unit: '',
        }),
        atLeast(30, {
          figure: 'valid operations that were answered with data',
          value: (withData / (count / 2)) * 100,
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

/**
 * An administrator by key and by session, a member, the organization, somebody from elsewhere, and
 * a stranger.
 */
async function viewersOf({ address, organizations: [own, other] }: Target): Promise<Viewers> {
  const [administrator, editor] = own?.users ?? [];
  if (!own || !administrator || !editor)
    throw new Error('an organization with two people is needed');
  const { email, password } = administrator;
  const signedIn = await fetch(`${address}/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address },
    body: JSON.stringify({ email, password }),
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  if (signedIn.status !== 200) throw new Error(`signing in answered ${signedIn.status}`);
  const keys = [
    administrator.userKey,
    administrator.userKey,
    editor.userKey,
    own.organizationKey,
    other?.organizationKey ?? '',
  ];
  return [
    ...keys.map((key) => ({ authorization: `Bearer ${key}` })),
    ...Array.from({ length: 4 }, () => ({ cookie, origin: address })),
    {},
  ];
}

type Fault = { message?: unknown; extensions?: { code?: unknown } };
type GraphAnswer = { data?: unknown; errors?: Fault[] };

/** The one answer, or each that came in a stream of events. */
function answersIn({ headers, body }: Got): GraphAnswer[] {
  const text = body.toString();
  const texts = headers.get('content-type')?.startsWith('text/event-stream')
    ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => data)
    : [text];
  return texts.flatMap((one) => {
    try {
      return [JSON.parse(one) as GraphAnswer];
    } catch {
      return [];
    }
  });
}

function faultsOf(
  { method }: Ask,
  { status, headers, body }: Got,
  answers: GraphAnswer[],
): string[] {
  const type = headers.get('content-type') ?? '';
  if (method === 'HEAD' || method === 'OPTIONS') return [];
  if (type.startsWith('text/html')) return status === 200 ? [] : [`a page with ${status}`];
  // Node itself refuses what is too long before any of our code.
  if (status === 431 && body.length === 0) return [];
  if (
    !/^(application\/(graphql-response\+)?json; charset=utf-8|text\/event-stream(; charset=utf-8)?)$/.test(
      type,
    )
  )
    return [`its type is ${type}`];
  if (answers.length === 0) return ['it holds no JSON'];
  return answers.flatMap((answer) => [
    ...Object.keys(answer)
      .filter((key) => !['data', 'errors', 'extensions'].includes(key))
      .map((key) => `it has a field ${key}`),
    ...('data' in answer || 'errors' in answer ? [] : ['it has neither data nor errors']),
    ...(answer.errors?.length === 0 ? ['its list of errors is empty'] : []),
    ...(answer.errors ?? []).flatMap(faultsOfError),
  ]);
}

function faultsOfError({ message, extensions }: Fault): string[] {
  const code = String(extensions?.code);
  if (typeof message !== 'string' || message === '') return ['an error without a message'];
  if (!Object.hasOwn(errorCatalogue, code)) return [`an error with the code ${code}`];
  return errorCatalogue[code as keyof typeof errorCatalogue].status >= 500
    ? [`an error with the code ${code}: ${message}`]
    : [];
}

/**
 * What was written by the schema passes its validation: a refusal before anything is run has other
 * reasons than its form.
 */
function refusals(answers: GraphAnswer[]): string[] {
  return answers
    .filter((answer) => !('data' in answer))
    .flatMap(({ errors = [] }) => errors)
    .filter(
      ({ message, extensions }) =>
        extensions?.code === 'BAD_INPUT' &&
        !/could hold more than|has more than|Only one file|one file/.test(String(message)),
    )
    .map(({ message }) => `the schema admits this operation: ${message}`);
}

function learnFrom(ids: LiveIds, data: unknown): void {
  for (const made of Object.values(Object(data))) {
    const { __typename, id } = Object(made);
    if (__typename === 'Campaign') learn(ids.campaignId, id);
    if (__typename === 'Link') learn(ids.linkId, id);
    if (__typename === 'Team') learn(ids.teamId, id);
    if (__typename === 'Assistant') learn(ids.assistantId, id);
  }
}
