import type { Context } from '../../access/context.ts';
import type { MemberViewer } from '../../access/scopes.ts';
import { type AccessWatch, watchAccess } from '../../access/watch-access.ts';
import { AppError, rateLimited } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { accessEnded, hasStillRights, rightsOf } from './caller-rights.ts';
import { createLiveQuery, type LiveQuery, type LiveReader, type LiveResult } from './live-query.ts';
import type { QuerySource } from './read-sources.ts';

/** Reports which types of objects have changed in an organization, until the result is called. */
export type WatchChanges = (
  organizationId: string,
  changed: (targetTypes: readonly string[]) => void,
) => Promise<() => void>;

export type LiveRequest = {
  context: Context;
  viewer: MemberViewer;
  /** The document, its variables, and whatever else decides the answer that a caller gets. */
  question: string;
  source: QuerySource;
  execute: (context: Context) => Promise<LiveResult>;
};

/** Ends a stream, when its client has disconnected. */
export type LeaveQuery = () => void;
export type LiveQueries = ReturnType<typeof createLiveQueries>;

type Caller = {
  rights: string;
  organizationId: string;
  access: AccessWatch;
  queries: Map<string, LiveQuery>;
  streams: number;
};

export const liveLimits = {
  streamsMax: 10_000,
  streamsPerCallerMax: 1_000,
  queriesPerCallerMax: 100,
  queriesPerOrganizationMax: 1_000,
};
const retryAfterSeconds = 10;

/**
 * The live queries of a process. Equal queries of one caller are executed once for all their
 * streams, and the access of a caller is watched once.
 */
export function createLiveQueries({
  watchChanges,
  metrics,
  log,
}: {
  watchChanges: WatchChanges;
  metrics: Pick<Metrics, 'liveStreams' | 'liveExecutions'>;
  log: Log;
}) {
  const callers = new Map<string, Caller>();
  const queriesOfOrganizations = new Map<string, number>();
  let streams = 0;
  let isClosed = false;

  function findCaller({ context, viewer }: LiveRequest): Caller {
    const rights = rightsOf(viewer);
    const known = callers.get(rights);
    if (known) return known;
    const access = watchAccess(
      {
        // The caller can have other streams when the client of this request disconnects.
        signal: new AbortController().signal,
        isStillAdmitted: () => hasStillRights(context, rights),
      },
      {},
    );
    const { organizationId } = viewer;
    const caller: Caller = { rights, organizationId, access, queries: new Map(), streams: 0 };
    access.signal.addEventListener('abort', () => end(caller, access.signal.reason));
    callers.set(rights, caller);
    return caller;
  }

  function end(caller: Caller, reason?: Error): void {
    for (const query of caller.queries.values()) query.end(reason);
  }

  function beginQuery({ context, question, source, execute }: LiveRequest, caller: Caller) {
    const { organizationId, rights } = caller;
    const queries = queriesOfOrganizations.get(organizationId) ?? 0;
    if (
      caller.queries.size >= liveLimits.queriesPerCallerMax ||
      queries >= liveLimits.queriesPerOrganizationMax
    )
      throw rateLimited('Too many different live queries are open', retryAfterSeconds);
    queriesOfOrganizations.set(organizationId, queries + 1);
    const query = createLiveQuery({
      source,
      watchChanges: (changed) => watchChanges(organizationId, changed),
      async execute() {
        if (!(await hasStillRights(context, rights))) {
          end(caller, accessEnded());
          throw accessEnded();
        }
        metrics.liveExecutions.inc();
        return execute({ ...context, signal: caller.access.signal });
      },
      failed(err) {
        if (!(err instanceof AppError))
          log.warn({ requestId: context.requestId, err }, 'A live query could not be executed');
      },
    });
    caller.queries.set(question, query);
    return query;
  }

  function endQuery(question: string, query: LiveQuery, caller: Caller): void {
    const { organizationId, queries } = caller;
    query.close();
    if (queries.get(question) === query) queries.delete(question);
    const others = (queriesOfOrganizations.get(organizationId) ?? 0) - 1;
    if (others > 0) queriesOfOrganizations.set(organizationId, others);
    else queriesOfOrganizations.delete(organizationId);
  }

  return {
    isClosed: () => isClosed,
    /**
     * Shows the reader each result of the query, the first one before this resolves. Throws if the
     * query cannot be executed.
     */
    async open(request: LiveRequest, reader: LiveReader): Promise<LeaveQuery> {
      const { question } = request;
      const caller = findCaller(request);
      if (caller.streams >= liveLimits.streamsPerCallerMax || streams >= liveLimits.streamsMax) {
        release(caller);
        throw rateLimited('Too many live queries are open', retryAfterSeconds);
      }
      let query: LiveQuery;
      try {
        query = caller.queries.get(question) ?? beginQuery(request, caller);
      } catch (error) {
        release(caller);
        throw error;
      }
      query.add(reader);
      caller.streams += 1;
      streams += 1;
      metrics.liveStreams.inc();
      let isOpen = true;
      const leave = () => {
        if (!isOpen) return;
        isOpen = false;
        streams -= 1;
        metrics.liveStreams.dec();
        caller.streams -= 1;
        if (!query.remove(reader)) endQuery(question, query, caller);
        release(caller);
      };
      try {
        await query.started;
      } catch (error) {
        leave();
        throw error;
      }
      return leave;
    },
    /** Ends all streams. */
    close(): void {
      isClosed = true;
      for (const caller of callers.values()) end(caller);
    },
  };

  function release(caller: Caller): void {
    if (caller.streams > 0) return;
    caller.access.stop();
    callers.delete(caller.rights);
  }
}
