import type { Answer } from './answer.ts';
import type { Api } from './client.ts';
import { filledText, listOf, objectWith } from './matchers.ts';
import type { Check } from './report.ts';

/** What is wrong, the body, and the fields that the refusal has to name. */
export type FaultyBody = readonly [what: string, body: unknown, ...fields: string[]];

const faults = listOf(objectWith({ field: filledText, code: filledText, message: filledText }));
type Place = {
  name: string;
  api: Api;
  method: string;
  path: string;
  /** Takes back what a faulty deployment made of a faulty body. */
  undo?: (accepted: Answer) => Promise<unknown>;
};

/** Each body is 400, and the message names every field that is wrong (D6). */
export async function checkFaultyBodies(
  check: Check,
  { name, api, method, path, undo }: Place,
  bodies: readonly FaultyBody[],
): Promise<void> {
  for (const [what, json, ...fields] of bodies) {
    const refused = await api.send(method, path, { json });
    check(`Part 8/D6 ${name}: ${what} is 400`, refused, refused.status, 400);
    check(
      `D41 ${name}: the 400 for ${what} has errors with field, code and message`,
      refused,
      refused.at('errors'),
      faults,
    );
    const named = refused.listAt('errors').map((fault) => String(Object(fault).field));
    const missing = fields.filter((field) => !named.some((candidate) => candidate.includes(field)));
    check(
      `D41 ${name}: the errors of the 400 for ${what} name ${fields.join(', ')}`,
      refused,
      missing,
      [],
    );
    if (refused.status === 200) await undo?.(refused);
    check(
      `D6 ${name}: the 400 for ${what} names ${fields.join(', ')}`,
      refused,
      fields.filter((field) => !String(refused.at('message')).includes(field)),
      [],
    );
  }
}

/** The two answers are the same, but for the request's own id (D3). */
export function checkSameRefusal(
  check: Check,
  title: string,
  foreign: Answer,
  unknown: Answer,
): void {
  check(`${title}: 404`, foreign, foreign.status, 404);
  check(
    `${title}: same answer as for an unknown id`,
    foreign,
    withoutRequestId(foreign),
    withoutRequestId(unknown),
  );
}

const withoutRequestId = ({ status, body }: Answer) => ({
  ...Object(body),
  requestId: undefined,
  httpStatus: status,
});
