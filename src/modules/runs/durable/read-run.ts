import type { Database } from '../../../platform/database/database.ts';
import { type ErrorCode, notFound } from '../../../platform/errors.ts';
import type { Person } from '../../assistants/access.ts';
import type { RunResult } from '../run-result.ts';
import { hasEnded, isOwnedBy, type Run, runColumns } from './run.ts';
import type { RunNotices } from './run-notices.ts';

type RunRequest = { id: string; person: Person };
type ReadDependencies = { database: Pick<Database, 'sql'> };

/** How often a reader looks for changes that another process has made. */
export const pollEveryMs = 250;

/** Reads a run that this person has started. */
export async function readRun(
  { id, person }: RunRequest,
  { database: { sql } }: ReadDependencies,
): Promise<Run> {
  const [run] = await sql<Run>`
    select ${runColumns} from runs r where r.id = ${id} and ${isOwnedBy(person)}`;
  if (!run) throw notFound('Run');
  return run;
}

type WaitDependencies = ReadDependencies & { notices: RunNotices; signal: AbortSignal };

/** Reads a run once it has ended, or after this many seconds. */
export async function awaitRun(
  { seconds, ...request }: RunRequest & { seconds: number },
  { notices, signal, ...dependencies }: WaitDependencies,
): Promise<Run> {
  const until = performance.now() + seconds * 1_000;
  for (;;) {
    // The wait begins before the read, so that a change in between is not missed.
    const { changed, cancel } = notices.next(request.id, pollEveryMs);
    const run = await readRun(request, dependencies).catch((error: unknown) => {
      cancel();
      throw error;
    });
    if (hasEnded(run) || signal.aborted || performance.now() >= until) {
      cancel();
      return run;
    }
    await changed;
  }
}

/** Reads runs in the order of the ids; null for one that the person has not started. */
export async function readRuns(
  { ids, person }: { ids: readonly string[]; person: Person },
  { database: { sql } }: ReadDependencies,
): Promise<(Run | null)[]> {
  const rows = await sql<Run>`
    select ${runColumns} from runs r where r.id = any(${[...ids]}) and ${isOwnedBy(person)}`;
  const runs = new Map(rows.map((run) => [run.id, run]));
  return ids.map((id) => runs.get(id) ?? null);
}

export type RunOutput = {
  result: RunResult | null;
  errorCode: ErrorCode | null;
  errorMessage: string | null;
};

type OutputRow = {
  id: string;
  result: string | null;
  errorCode: ErrorCode | null;
  errorMessage: string | null;
};

/** Reads what runs answered, in the order of the ids. Deleted content is null. */
export async function readOutputs(
  { ids, person }: { ids: readonly string[]; person: Person },
  { database: { sql } }: ReadDependencies,
): Promise<(RunOutput | null)[]> {
  const rows = await sql<OutputRow>`
    select r.id, c.result, r.error_code as "errorCode", c.error_message as "errorMessage"
    from runs r left join run_contents c on c.run_id = r.id
    where r.id = any(${[...ids]}) and ${isOwnedBy(person)}`;
  const outputs = new Map(
    rows.map(({ id, result, errorCode, errorMessage }) => [
      id,
      {
        errorCode,
        result: parsed<RunResult>(result),
        errorMessage: parsed<string>(errorMessage),
      },
    ]),
  );
  return ids.map((id) => outputs.get(id) ?? null);
}

const parsed = <Value>(json: string | null): Value | null =>
  json === null ? null : JSON.parse(json);
