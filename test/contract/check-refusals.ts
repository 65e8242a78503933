import type { Answer } from './answer.ts';
import type { Api } from './client.ts';
import { filledText, listOf, objectWith } from './matchers.ts';
import type { Check } from './report.ts';

/** A description of the fault, the body, and the fields that the error must name. */
export type FaultyBody = readonly [description: string, body: unknown, ...fields: string[]];

const faults = listOf(objectWith({ field: filledText, code: filledText, message: filledText }));
type FaultyBodyTarget = {
  name: string;
  api: Api;
  method: string;
  path: string;
  /** Removes what a faulty deployment created from a faulty body. */
  undo?: (accepted: Answer) => Promise<unknown>;
};

/** Checks that each body gets 400 with a message that names every invalid field (D6). */
export async function checkFaultyBodies(
  check: Check,
  { name, api, method, path, undo }: FaultyBodyTarget,
  bodies: readonly FaultyBody[],
): Promise<void> {
  for (const [description, json, ...fields] of bodies) {
    const refused = await api.send(method, path, { json });
    check(`Part 8/D6 ${name}: ${description} is 400`, refused, refused.status, 400);
    check(
      `D41 ${name}: the 400 for ${description} has errors with field, code and message`,
      refused,
      refused.at('errors'),
      faults,
    );
    const namedFields = refused.listAt('errors').map((fault) => String(Object(fault).field));
    const missing = fields.filter(
      (field) => !namedFields.some((candidate) => candidate.includes(field)),
    );
    check(
      `D41 ${name}: the errors of the 400 for ${description} name ${fields.join(', ')}`,
      refused,
      missing,
      [],
    );
    if (refused.status === 200) await undo?.(refused);
    check(
      `D6 ${name}: the 400 for ${description} names ${fields.join(', ')}`,
      refused,
      fields.filter((field) => !String(refused.at('message')).includes(field)),
      [],
    );
  }
}

/** Checks that the two responses are equal except for the request id (D3). */
export function checkSameRefusal(
  check: Check,
  title: string,
  foreign: Answer,
  unknown: Answer,
): void {
  check(`${title}: 404`, foreign, foreign.status, 404);
  check(
    `${title}: the response is the same as for an unknown id`,
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
