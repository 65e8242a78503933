import type { Database } from '../../../platform/database/database.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Person } from '../../assistants/access.ts';
import { readOutputs } from './read-run.ts';
import { hasEnded, isOwnedBy, type RunState } from './run.ts';
import type { SequencedEvent, StoredEvent } from './run-event.ts';

export type EventsRequest = { id: string; person: Person; after: number };
type ReadDependencies = { database: Pick<Database, 'sql'> };
export type EventPage = { events: SequencedEvent[]; isLast: boolean };

const eventsPerPage = 200;

type EventRow = {
  state: RunState;
  hasContent: boolean;
  sequence: number | null;
  data: string | null;
};

/**
 * Reads the next events of a run that this person has started. One statement reads the state as
 * well: the last event is stored together with the end, so a run that has ended has all its events.
 */
export async function readEvents(
  { id, person, after }: EventsRequest,
  { database }: ReadDependencies,
  eventsMax = eventsPerPage,
): Promise<EventPage> {
  const rows = await database.sql<EventRow>`
    select r.state, c.run_id is not null as "hasContent", e.sequence, e.data
    from runs r
    left join run_contents c on c.run_id = r.id
    left join lateral (
      select e.sequence, e.data from run_events e where e.run_id = r.id and e.sequence > ${after}::int
      order by e.sequence limit ${eventsMax}::int) e on true
    where r.id = ${id} and ${isOwnedBy(person)} order by e.sequence`;
  const [first] = rows;
  if (!first?.hasContent) throw notFound(first ? 'Content of the run' : 'Run');
  const events: SequencedEvent[] = [];
  for (const { sequence, data } of rows)
    if (sequence !== null && data !== null)
      events.push(await completed({ id, person }, sequence, JSON.parse(data), { database }));
  return { events, isLast: hasEnded(first) && events.length < eventsMax };
}

async function completed(
  { id, person }: Pick<EventsRequest, 'id' | 'person'>,
  sequence: number,
  event: StoredEvent,
  dependencies: ReadDependencies,
): Promise<SequencedEvent> {
  if (event.type !== 'done') return { sequence, ...event };
  const [output] = await readOutputs({ ids: [id], person }, dependencies);
  if (!output?.result) throw notFound('Content of the run');
  return { sequence, type: 'done', result: output.result };
}
