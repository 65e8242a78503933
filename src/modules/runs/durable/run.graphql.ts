import type { Context } from '../../../access/context.ts';
import { personOf } from '../../../access/scopes.ts';
import { watchAccess } from '../../../access/watch-access.ts';
import { builder } from '../../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  orderType,
  pageRequest,
} from '../../../graph/schema/connection.ts';
import { ErrorCode, sentenceOfMeaning } from '../../../graph/schema/error-catalogue.ts';
import { integer } from '../../../graph/schema/input-rules.ts';
import { alwaysTrue, mutation } from '../../../graph/schema/mutation.ts';
import { addNodeSource, Node } from '../../../graph/schema/node.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { AppError, errorCatalogue } from '../../../platform/errors.ts';
import { runFields, runInput } from '../run.graphql.ts';
import { RunResultType, RunUsage } from '../run-result.graphql.ts';
import { cancelRun, deleteRun } from './cancel-run.ts';
import './durable-runs.ts';
import { listRuns } from './list-runs.ts';
import { awaitRun, type RunOutput, readOutputs, readRun, readRuns } from './read-run.ts';
import type { Run as RunRow } from './run.ts';
import { RunState } from './run-state.graphql.ts';
import { startRun } from './start-run.ts';

type RunFailure = { code: NonNullable<RunRow['errorCode']>; message: string };

const RunErrorType = builder.objectRef<RunFailure>('RunError').implement({
  description: 'Why a run has no result.',
  fields: (t) => ({
    code: t.expose('code', { type: ErrorCode, description: 'A constant of the table of errors.' }),
    message: t.exposeString('message', { description: 'A sentence for people.' }),
  }),
});

/** The message is deleted with the content of the run. */
const failureOf = ({ errorCode, errorMessage }: RunOutput): RunFailure | null =>
  errorCode && {
    code: errorCode,
    message: errorMessage ?? sentenceOfMeaning(errorCatalogue[errorCode].meaning),
  };

export const Run = builder.objectRef<RunRow>('Run').implement({
  interfaces: [Node],
  description:
    'The record of a run. Only the person who started it sees it, signed in or with a key of their own.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the run, an opaque string.' }),
    assistantId: t.exposeID('assistantId', {
      description: 'The id of the assistant, also if it no longer exists.',
    }),
    state: t.expose('state', { type: RunState, description: 'How far the run is.' }),
    isDurable: t.exposeBoolean('isDurable', {
      description:
        'Whether the run was started by `startRun`: then it goes on without its caller, and another process continues it if its process ends.',
    }),
    model: t.exposeString('model', { description: 'The model that answers.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the run was accepted.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the run was first executed; null while it is QUEUED.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the run ended.',
    }),
    contentUntil: t.expose('contentUntil', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the messages, the result and the events of a durable run are deleted; null until it has ended.',
    }),
    stepCount: t.exposeInt('stepCount', {
      description: 'The finished steps. A step is one call of the model with its tool calls.',
    }),
    usage: t.field({
      type: RunUsage,
      description: 'The tokens of all finished steps.',
      resolve: ({ promptTokens, completionTokens }) => ({ promptTokens, completionTokens }),
    }),
    result: t.loadable({
      type: RunResultType,
      nullable: true,
      description:
        'The answer of a durable run that is COMPLETED; null otherwise, and once its content is deleted.',
      load: async (ids: string[], { viewer, database }) => {
        const outputs = await readOutputs({ ids, person: personOf(viewer) }, { database });
        return outputs.map((output) => output?.result ?? null);
      },
      resolve: ({ id, state }) => (state === 'COMPLETED' ? id : null),
    }),
    error: t.loadable({
      type: RunErrorType,
      nullable: true,
      description: 'Why the run FAILED, was CANCELLED or is EXPIRED; null otherwise.',
      load: async (ids: string[], { viewer, database }) => {
        const outputs = await readOutputs({ ids, person: personOf(viewer) }, { database });
        return outputs.map((output) => (output ? failureOf(output) : null));
      },
      resolve: ({ id, errorCode }) => (errorCode === null ? null : id),
    }),
  }),
});

addNodeSource('Run', {
  scopes: { person: true },
  table: fragment`runs`,
  load: (ids, { viewer, database }) => readRuns({ ids, person: personOf(viewer) }, { database }),
});

/** Waits for the end of a run while the caller has access. */
async function awaitRunWatched(request: Parameters<typeof awaitRun>[0], context: Context) {
  const { database, durableRuns } = context;
  const { signal, stop } = watchAccess(context, { person: true });
  const run = await awaitRun(request, { database, notices: durableRuns.notices, signal }).finally(
    stop,
  );
  if (signal.reason instanceof AppError) throw signal.reason;
  return run;
}

const RunConnection = connectionType('Run', Run);
const RunOrder = orderType('RunOrder', { CREATED_AT: 'When the run was accepted.' });
const runId = 'The id of a run that the caller has started.';

builder.queryFields((t) => ({
  run: t.field({
    type: Run,
    description: 'A run that the caller has started.',
    args: {
      id: t.arg({ type: 'ID', description: runId }),
      wait: t.arg({
        type: 'Int',
        rule: integer({ min: 0, max: 25 }),
        required: false,
        description:
          'Seconds to wait for the end of the run. The answer comes as soon as the run has ended, otherwise when the time is over.',
      }),
    },
    authScopes: { person: true },
    resolve: (_, { id, wait }, context) => {
      const request = { id, person: personOf(context.viewer) };
      return wait
        ? awaitRunWatched({ ...request, seconds: wait }, context)
        : readRun(request, context);
    },
  }),
  runs: t.field({
    type: RunConnection,
    description: 'The runs that the caller has started, newest first by default.',
    args: {
      ...connectionArgs(),
      assistantId: t.arg({
        type: 'ID',
        required: false,
        description: 'Only runs of this assistant.',
      }),
      state: t.arg({ type: RunState, required: false, description: 'Only runs in this state.' }),
      orderBy: t.arg({ type: RunOrder, required: false, description: 'The order of the list.' }),
    },
    cost: connectionCost(20),
    authScopes: { person: true },
    resolve: (_, args, { viewer, database }, info) =>
      listRuns({ ...args, person: personOf(viewer) }, pageRequest(args, info, 20), { database }),
  }),
}));

mutation('startRun', {
  description:
    'Starts a durable run and returns at once. The run goes on without its caller; `run` and `runEvents` tell how far it is.',
  authScopes: { person: true },
  input: runFields,
  resolve: async (input, context) => {
    const id = await startRun(runInput(input, context), context);
    return { run: await readRun({ id, person: personOf(context.viewer) }, context) };
  },
  payload: (t) => ({
    run: t.expose('run', { type: Run, description: 'The run, which is QUEUED.' }),
  }),
});

mutation('cancelRun', {
  description:
    'Cancels a durable run; its model stops within a second. A run that has ended stays as it is.',
  authScopes: { person: true },
  input: (t) => ({ id: t.field({ type: 'ID', description: runId }) }),
  resolve: async ({ id }, context) => {
    const request = { id, person: personOf(context.viewer) };
    await cancelRun(request, context);
    return { run: await readRun(request, context) };
  },
  payload: (t) => ({
    run: t.expose('run', { type: Run, description: 'The run after the call.' }),
  }),
});

mutation('deleteRun', {
  description:
    'Deletes the record of a run with its content for good. A durable run that has not ended is cancelled first.',
  authScopes: { person: true },
  input: (t) => ({ id: t.field({ type: 'ID', description: runId }) }),
  resolve: async ({ id }, context) => {
    await deleteRun({ id, person: personOf(context.viewer) }, context);
    return { id };
  },
  payload: (t) => ({
    success: t.boolean(alwaysTrue),
    runId: t.id({ description: 'The id of the deleted run.', resolve: ({ id }) => id }),
  }),
});
