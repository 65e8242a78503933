import type { Answer } from '../answer.ts';
import { ask, createAssistant, runPath } from '../assistant.ts';
import { idOf } from '../check-list.ts';
import { checkSameRefusal } from '../check-refusals.ts';
import type { Api } from '../client.ts';
import {
  boolean,
  filledText,
  integer,
  matching,
  objectWith,
  oneOf,
  orNull,
  time,
} from '../matchers.ts';
import { checkShape } from '../report.ts';
import { runResult } from '../shapes.ts';
import type { Suite } from '../suite.ts';

const runsPath = '/api/assistants/v1/runs';

const run = {
  id: filledText,
  assistantId: orNull(filledText),
  state: oneOf('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED'),
  isDurable: boolean,
  model: filledText,
  createdAt: time,
  startedAt: orNull(time),
  endedAt: orNull(time),
  contentUntil: orNull(time),
  stepCount: integer,
  usage: objectWith({ promptTokens: integer, completionTokens: integer }),
  error: orNull(objectWith({ code: filledText, message: filledText })),
};

/** The record of runs, durable runs and receipts. */
export async function checkRuns(suite: Suite): Promise<void> {
  const { check } = suite;
  const api = suite.api('user-key', 'runs');
  if (!api) return;
  const assistantId = await createAssistant(suite, api, `${suite.prefix} runs`);
  const durableId = await checkDurableRun(suite, api, assistantId);
  const plain = await api.post(runPath(assistantId), ask('What is the weather like?'));
  const plainId = plain.textAt('runId');
  check('Receipts: an answer has its run id', plain, plain.headers.get('x-run-id'), plainId);

  const list = await api.get(`${runsPath}?assistantId=${assistantId}`);
  check('Long runs: GET /runs answers 200', list, list.status, 200);
  check(
    'Long runs: GET /runs lists plain and durable runs, newest first',
    list,
    list.listAt('runs').map(idOf),
    [plainId, durableId],
  );
  for (const item of list.listAt('runs')) checkShape(check, 'Long runs: a run', list, item, run);
  const failed = await api.get(`${runsPath}?assistantId=${assistantId}&state=FAILED`);
  check('Long runs: GET /runs?state=FAILED leaves out others', failed, failed.at('runs'), []);
  const wrongState = await api.get(`${runsPath}?state=DONE`);
  check('Long runs: an unknown state is 400', wrongState, wrongState.status, 400);

  const noEvents = await api.get(`${runsPath}/${plainId}/events`);
  check('Long runs: a plain run has no events: 404', noEvents, noEvents.status, 404);

  await checkReceipt(suite, api, plainId);
  const ended = await api.post(`${runsPath}/${plainId}/cancel`);
  check('Long runs: cancelling an ended plain run answers 200', ended, ended.status, 200);
  await checkOthers(suite, api, durableId);
  const deleted = await api.delete(`${runsPath}/${durableId}`);
  check('Long runs: DELETE answers 200', deleted, deleted.status, 200);
  check('Long runs: DELETE returns the id', deleted, deleted.at('runId'), durableId);
  const gone = await api.get(`${runsPath}/${durableId}`);
  check('Long runs: a deleted run is 404', gone, gone.status, 404);
}

async function checkDurableRun(
  { check, prefix }: Suite,
  api: Api,
  assistantId: string,
): Promise<string> {
  const headers = { prefer: 'respond-async', 'idempotency-key': `${prefix}-durable` };
  const question = ask('What is the weather like?');
  const accepted = await api.post(runPath(assistantId), question, { headers });
  check('Long runs: Prefer: respond-async answers 202', accepted, accepted.status, 202);
  check(
    'Long runs: the 202 has Preference-Applied',
    accepted,
    accepted.headers.get('preference-applied'),
    'respond-async',
  );
  const id = accepted.textAt('runId');
  check(
    'Long runs: the 202 has Location',
    accepted,
    accepted.headers.get('location'),
    `${runsPath}/${id}`,
  );
  check(
    'Long runs: the 202 has a state',
    accepted,
    accepted.at('state'),
    oneOf('QUEUED', 'RUNNING'),
  );
  const repeated = await api.post(runPath(assistantId), question, { headers });
  check(
    'Long runs: a repetition with the same Idempotency-Key gets the same run',
    repeated,
    repeated.at('runId'),
    id,
  );

  const ended = await waitForEnd(api, id);
  check('Long runs: GET /runs/:runId answers 200', ended, ended.status, 200);
  checkShape(check, 'Long runs: an ended run', ended, ended.at('run'), run);
  check('Long runs: the run completes', ended, ended.at('run.state'), 'COMPLETED');
  checkShape(check, 'Long runs: its result', ended, ended.at('run.result'), runResult);
  check('Long runs: it has one step', ended, ended.at('run.stepCount'), integer);
  check(
    'Long runs: a day is the most that content is kept by default',
    ended,
    Date.parse(String(ended.at('run.contentUntil'))) -
      Date.parse(String(ended.at('run.endedAt'))) <=
      86_400_000,
    true,
  );
  for (const wait of ['-1', '26', 'long']) {
    const refused = await api.get(`${runsPath}/${id}?wait=${wait}`);
    check(`Long runs: wait=${wait} is 400`, refused, refused.status, 400);
  }

  const streamed = await api.get(`${runsPath}/${id}/events`, {
    headers: { accept: 'text/event-stream' },
  });
  const ids = [...streamed.text.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));
  check(
    'Long runs: events are numbered from 1 without a gap',
    streamed,
    ids,
    ids.map((_, index) => index + 1),
  );
  const names = [...streamed.text.matchAll(/^event: (.+)$/gm)].map(([, name]) => name);
  check('Long runs: the first event is step', streamed, names[0], 'step');
  check('Long runs: the last event is done', streamed, names.at(-1), 'done');
  const resumed = await api.get(`${runsPath}/${id}/events`, {
    headers: { accept: 'text/event-stream', 'last-event-id': String(ids.length - 1) },
  });
  check(
    'Long runs: a stream goes on after Last-Event-ID',
    resumed,
    [...resumed.text.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number)),
    [ids.length],
  );
  const wrong = await api.get(`${runsPath}/${id}/events`, { headers: { 'last-event-id': 'x' } });
  check('Long runs: a Last-Event-ID that is no number is 400', wrong, wrong.status, 400);
  const stored = await api.get(`${runsPath}/${id}/events`);
  check(
    'Long runs: without text/event-stream the stored events are JSON',
    stored,
    stored.listAt('events').length,
    Math.min(ids.length, 20),
  );
  const cancelled = await api.post(`${runsPath}/${id}/cancel`);
  check('Long runs: cancelling an ended run answers 200', cancelled, cancelled.status, 200);
  check(
    'Long runs: an ended run stays as it is',
    cancelled,
    cancelled.at('run.state'),
    'COMPLETED',
  );
  return id;
}

async function waitForEnd(api: Api, id: string): Promise<Answer> {
  let answer = await api.get(`${runsPath}/${id}?wait=25`);
  for (let attempt = 1; attempt < 5 && answer.at('run.endedAt') === null; attempt += 1)
    answer = await api.get(`${runsPath}/${id}?wait=25`);
  return answer;
}

async function checkReceipt({ check, send }: Suite, api: Api, id: string): Promise<void> {
  const receipt = await api.get(`${runsPath}/${id}/receipt`);
  check('Receipts: GET /runs/:runId/receipt answers 200', receipt, receipt.status, 200);
  const hash = matching(/^[\da-f]{64}$/);
  checkShape(check, 'Receipts: a receipt', receipt, receipt.body, {
    issuer: matching(/^https?:\/\//),
    runId: filledText,
    model: filledText,
    startedAt: time,
    endedAt: time,
    promptTokens: integer,
    completionTokens: integer,
    questionSha256: hash,
    answerSha256: hash,
    jws: matching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  });
  const { jws, ...fields } = Object(receipt.body);
  const [header = '', payload = ''] = String(jws).split('.');
  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  check('Receipts: the signed fields are those of the answer', receipt, decode(payload), fields);
  const keys = await send('GET', '/.well-known/atrium-receipts.json');
  check(
    'Receipts: the key set has the key of the signature',
    keys,
    keys
      .listAt('keys')
      .map((key) => Object(key).kid)
      .includes(decode(header).kid),
    true,
  );
}

/** Nobody else sees a run: for another member and another organization its id is unknown. */
async function checkOthers(suite: Suite, owner: Api, id: string): Promise<void> {
  for (const [flag, description] of [
    ['member-key', 'another member'],
    ['other-user-key', 'another organization'],
  ] as const) {
    const api = suite.api(flag, `runs for ${description}`);
    if (!api) continue;
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/events'],
      ['GET', '/receipt'],
      ['POST', '/cancel'],
      ['DELETE', ''],
    ] as const)
      checkSameRefusal(
        suite.check,
        `Long runs: ${method} /runs/:runId${path} for ${description}`,
        await api.send(method, `${runsPath}/${id}${path}`),
        await owner.send(method, `${runsPath}/unknown${path}`),
      );
  }
}
