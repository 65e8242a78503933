import { setTimeout as pause } from 'node:timers/promises';

export type Caller = {
  organizationKey: string;
  /** The address of a process that is alive; undefined while every process is killed. */
  address: () => string | undefined;
};

const renames = 2;
/** The events of one team, in their order. */
export const typesOfTeam = [
  'team.created',
  ...Array.from({ length: renames }, () => 'team.renamed'),
  'team.deleted',
];

/**
 * Creates a team, renames it twice and deletes it. Each change is repeated until it is
 * answered; its key makes the repetitions harmless. Returns the id of the team.
 */
export async function writeTeam(name: string, caller: Caller): Promise<string> {
  const { team } = await change('POST', '/teams', `${name}-0`, caller);
  const { id } = Object(team);
  for (let number = 1; number <= renames; number += 1)
    await change('PATCH', `/teams/${id}`, `${name}-${number}`, caller);
  await change('DELETE', `/teams/${id}`, `${name}-last`, caller);
  return String(id);
}

async function change(
  method: string,
  path: string,
  name: string,
  { organizationKey, address }: Caller,
): Promise<Record<string, unknown>> {
  for (;;) {
    const origin = address();
    const response =
      origin === undefined
        ? undefined
        : await fetch(`${origin}/api/user-management/v1${path}`, {
            method,
            headers: {
              authorization: `Bearer ${organizationKey}`,
              'content-type': 'application/json',
              ...(method === 'POST' && { 'idempotency-key': name }),
            },
            ...(method !== 'DELETE' && { body: JSON.stringify({ name }) }),
          }).catch(() => undefined);
    const body: unknown = await response?.json().catch(() => undefined);
    if (response?.status === 200 && body) return Object(body);
    // An earlier try of this deletion was not answered.
    if (response?.status === 404 && method === 'DELETE') return {};
    if (response && ![409, 503].includes(response.status))
      throw new Error(`${method} ${path} was refused: ${JSON.stringify(body)}`);
    await pause(100);
  }
}
