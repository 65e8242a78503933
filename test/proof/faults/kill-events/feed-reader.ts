import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from './team-writer.ts';

export type SeenEvent = { id: string; type: string; team: string };

/** Reads the events of teams from the feed, page by page, until `isDone` says so. */
export async function readFeed(
  { organizationKey, address }: Caller,
  isDone: (events: readonly SeenEvent[]) => boolean,
): Promise<SeenEvent[]> {
  const seen: SeenEvent[] = [];
  let after: string | undefined;
  while (!isDone(seen)) {
    const origin = address();
    const query = new URLSearchParams({ limit: '1000', wait: '2' });
    if (after !== undefined) query.set('after', after);
    const response =
      origin === undefined
        ? undefined
        : await fetch(`${origin}/api/events/v1/events?${query}`, {
            headers: { authorization: `Bearer ${organizationKey}` },
          }).catch(() => undefined);
    const body: unknown = await response?.json().catch(() => undefined);
    if (response?.status !== 200 || !body) {
      if (response && response.status < 500)
        throw new Error(`The feed was refused: ${JSON.stringify(body)}`);
      await pause(100);
      continue;
    }
    const { events, next } = Object(body);
    for (const { id, type, data } of events)
      if (data.resourceType === 'Team') seen.push({ id, type, team: data.resourceId });
    after = next;
  }
  return seen;
}
