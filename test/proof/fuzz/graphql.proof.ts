import { errorCatalogue } from '../../../src/platform/errors.ts';
import { atLeast } from '../../bench/goals.ts';
import type { Proof } from '../proof.ts';
import { createAnswerChecker, processGoals } from './answer-checker.ts';
import { brokenGraphRequest, type CallerHeaders, validGraphRequest } from './graph-requests.ts';
import { addId, type LiveIds, readLiveIds } from './live-ids.ts';
import { runConcurrently } from './run-concurrently.ts';
import { seededRandom } from './seeded-random.ts';
import { type HttpAnswer, type HttpRequest, send } from './send.ts';
import { type FuzzTarget, openTarget } from './target.ts';

const concurrency = 4;

export const proof: Proof = {
  claim:
    'No GraphQL operation, valid or broken, causes an unexpected error, a hang, or an answer with internal details',
  timed: true,
  async measure({ quick, seed, log }) {
    const count = quick ? 300 : 5_000;
    const target = await openTarget();
    try {
      const ids = await readLiveIds(target);
      const callers = await callersOf(target);
      const checker = createAnswerChecker({ target, seed, log });
      let heapBefore = 0;
      let withData = 0;
      await runConcurrently(count, concurrency, async (index) => {
        if (index === count / 5) heapBefore = await target.heapBytes();
        if (index > 0 && index % 1_000 === 0) log(`${index} operations`);
        const random = seededRandom(seed, index);
        const isValid = index % 2 === 0;
        const request = isValid
          ? validGraphRequest(random, ids, callers)
          : brokenGraphRequest(random, ids, callers);
        const answer = await send(target.address, request);
        const answers = 'failure' in answer ? [] : parseAnswers(answer);
        checker.check(
          index,
          target.address,
          request,
          answer,
          'failure' in answer
            ? []
            : [
                ...contractFaults(request, answer, answers),
                ...(isValid ? unexpectedRefusals(answers) : []),
              ],
        );
        if (isValid && answers.some(({ data }) => data)) withData += 1;
        if (isValid) for (const { data } of answers) addIdsFromData(ids, data);
      });
      return [
        atLeast(count, {
          figure: 'GraphQL operations, half of them valid',
          value: count,
          unit: '',
        }),
        atLeast(30, {
          figure: 'valid operations answered with data',
          value: (withData / (count / 2)) * 100,
          unit: '%',
        }),
        ...checker.goals(),
        ...(await processGoals(target, heapBefore, log)),
      ];
    } finally {
      await target.stop();
    }
  },
};

/**
 * The credentials of an administrator (key and session), a member, the organization, another
 * organization, and none.
 */
async function callersOf({
  address,
  organizations: [own, other],
}: FuzzTarget): Promise<CallerHeaders> {
  const [administrator, editor] = own?.users ?? [];
  if (!own || !administrator || !editor)
    throw new Error('an organization with two people is needed');
  const { email, password } = administrator;
  const signInAnswer = await fetch(`${address}/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address },
    body: JSON.stringify({ email, password }),
  });
  const cookie = signInAnswer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  if (signInAnswer.status !== 200) throw new Error(`signing in answered ${signInAnswer.status}`);
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

type GraphError = { message?: unknown; extensions?: { code?: unknown } };
type GraphAnswer = { data?: unknown; errors?: GraphError[] };

/** The answer, or every answer of an event stream. */
function parseAnswers({ headers, body }: HttpAnswer): GraphAnswer[] {
  const text = body.toString();
  const texts = headers.get('content-type')?.startsWith('text/event-stream')
    ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => data)
    : [text];
  return texts.flatMap((event) => {
    try {
      return [JSON.parse(event) as GraphAnswer];
    } catch {
      return [];
    }
  });
}

function contractFaults(
  { method }: HttpRequest,
  { status, headers, body }: HttpAnswer,
  answers: GraphAnswer[],
): string[] {
  const type = headers.get('content-type') ?? '';
  if (method === 'HEAD' || method === 'OPTIONS') return [];
  if (type.startsWith('text/html')) return status === 200 ? [] : [`a page with ${status}`];
  // Node itself refuses headers that are too long, before any code of Atrium runs.
  if (status === 431 && body.length === 0) return [];
  if (
    !/^(application\/(graphql-response\+)?json; charset=utf-8|text\/event-stream(; charset=utf-8)?)$/.test(
      type,
    )
  )
    return [`its type is ${type}`];
  // A subscription without a result, such as the export of no redemptions, only completes.
  const isComplete =
    type.startsWith('text/event-stream') && /^event: complete$/m.test(body.toString());
  if (answers.length === 0) return isComplete ? [] : ['it holds no JSON'];
  return answers.flatMap((answer) => [
    ...Object.keys(answer)
      .filter((key) => !['data', 'errors', 'extensions'].includes(key))
      .map((key) => `it has a field ${key}`),
    ...('data' in answer || 'errors' in answer ? [] : ['it has neither data nor errors']),
    ...(answer.errors?.length === 0 ? ['its list of errors is empty'] : []),
    ...(answer.errors ?? []).flatMap(contractFaultsOfError),
  ]);
}

function contractFaultsOfError({ message, extensions }: GraphError): string[] {
  const code = String(extensions?.code);
  if (typeof message !== 'string' || message === '') return ['an error without a message'];
  if (!Object.hasOwn(errorCatalogue, code)) return [`an error with the code ${code}`];
  return errorCatalogue[code as keyof typeof errorCatalogue].status >= 500
    ? [`an error with the code ${code}: ${message}`]
    : [];
}

/**
 * Refusals of operations that are valid by the schema. Before execution they may be refused
 * by the limits on their size, and a subscription by the order of its two dates.
 */
function unexpectedRefusals(answers: GraphAnswer[]): string[] {
  return answers
    .filter((answer) => !('data' in answer))
    .flatMap(({ errors = [] }) => errors)
    .filter(
      ({ message, extensions }) =>
        extensions?.code === 'BAD_INPUT' &&
        !/could hold more than|has more than|Only one file|at most 20 files|until must be later than from/.test(
          String(message),
        ),
    )
    .map(({ message }) => `the schema allows this operation: ${message}`);
}

function addIdsFromData(ids: LiveIds, data: unknown): void {
  for (const created of Object.values(Object(data))) {
    const { __typename, id } = Object(created);
    if (__typename === 'Campaign') addId(ids.campaignId, id);
    if (__typename === 'Link') addId(ids.linkId, id);
    if (__typename === 'Team') addId(ids.teamId, id);
    if (__typename === 'Assistant') addId(ids.assistantId, id);
  }
}
