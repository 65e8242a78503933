import { personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  orderType,
  pageRequest,
} from '../../graph/schema/connection.ts';
import { mutation } from '../../graph/schema/mutation.ts';
import { addNodeSource, Node } from '../../graph/schema/node.ts';
import { fragment } from '../../platform/database/sql.ts';
import { readNames } from '../audit/read-names.ts';
import { writerOf } from '../audit/record-change.ts';
import { readMembers } from '../users/read-members.ts';
import { User } from '../users/user.graphql.ts';
import { Assistant, AssistantColor, modelCheckOf, versionNumberRule } from './assistant.graphql.ts';
import type { AssistantVersion as VersionRow } from './assistant-version.ts';
import { listVersions } from './list-versions.ts';
import { readVersions, requireVersion } from './read-versions.ts';
import { restoreVersion } from './restore-version.ts';

const AssistantVersion = builder.objectRef<VersionRow>('AssistantVersion').implement({
  interfaces: [Node],
  description:
    'What an assistant was after a change of its name, instructions or settings. The newest 100 are kept.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The id of the version, an opaque string that never changes.',
    }),
    number: t.exposeInt('number', {
      description: 'The number of the version, which counts the changes of the assistant from 1.',
    }),
    name: t.exposeString('name', { description: 'The display name.' }),
    description: t.exposeString('description', {
      description: 'What the assistant was for. Empty: not set.',
    }),
    instructions: t.exposeString('instructions', {
      description: 'The instructions that the model got before every run.',
    }),
    model: t.exposeString('model', {
      nullable: true,
      description: 'The model that answered; null: the default model.',
    }),
    temperature: t.exposeFloat('temperature', {
      nullable: true,
      description: 'The sampling temperature; null: the default of the provider.',
    }),
    stepLimit: t.exposeInt('stepLimit', { description: 'How many steps a run could take.' }),
    starterQuestions: t.exposeStringList('starterQuestions', {
      description: 'Questions that a new chat offered.',
      cost: { listSize: { assumedSize: 6 } },
    }),
    color: t.expose('color', {
      type: AssistantColor,
      nullable: true,
      description: 'The colour of the assistant. Null: clients choose one by the id.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description:
        'When the change was made. Runs and receipts record the version of their assistant by this time.',
    }),
    restoredNumber: t.exposeInt('restoredNumber', {
      nullable: true,
      description: 'The number of the version that was restored; null for any other change.',
    }),
    author: t.loadable({
      type: User,
      nullable: true,
      description: 'The user who made the change; null if they are no longer a member.',
      load: (userIds: string[], { viewer, database }) =>
        readMembers({ organizationId: personOf(viewer).organizationId, userIds }, { database }),
      resolve: (version) => version.authorUserId,
    }),
    authorName: t.loadable({
      type: 'String',
      nullable: true,
      description:
        'The current name of the person or else of the key that made the change; null if it no longer exists, and for what was there before versions were kept.',
      load: (ids: string[], { viewer, database }) =>
        readNames({ organizationId: personOf(viewer).organizationId, ids }, { database }),
      resolve: (version) => version.authorUserId ?? version.authorKeyId,
    }),
  }),
});

addNodeSource('AssistantVersion', {
  scopes: { person: true },
  table: fragment`assistant_versions`,
  load: (ids, { viewer, database }) =>
    readVersions({ ids, person: personOf(viewer) }, { database }),
});

const AssistantVersionConnection = connectionType('AssistantVersion', AssistantVersion);
const AssistantVersionOrder = orderType('AssistantVersionOrder', {
  NUMBER: 'How many changes the assistant had by then, so the time of the change.',
});

builder.queryFields((t) => ({
  assistantVersions: t.field({
    type: AssistantVersionConnection,
    description: 'The versions of an assistant that the caller may change, newest first.',
    args: {
      assistantId: t.arg({ type: 'ID', description: 'The id of the assistant.' }),
      ...connectionArgs(),
      orderBy: t.arg({
        type: AssistantVersionOrder,
        required: false,
        description: 'The order of the list.',
      }),
    },
    cost: connectionCost(20),
    authScopes: { person: true },
    resolve: (_, args, { viewer, database }, info) =>
      listVersions({ ...args, person: personOf(viewer) }, pageRequest(args, info, 20), {
        database,
      }),
  }),
  assistantVersion: t.field({
    type: AssistantVersion,
    description: 'A version of an assistant that the caller may change.',
    args: {
      assistantId: t.arg({ type: 'ID', description: 'The id of the assistant.' }),
      number: t.arg({
        type: 'Int',
        rule: versionNumberRule,
        description: 'The number of the version.',
      }),
    },
    authScopes: { person: true },
    resolve: (_, args, { viewer, database }) =>
      requireVersion({ ...args, person: personOf(viewer) }, { database }),
  }),
}));

mutation('restoreAssistantVersion', {
  description:
    'Gives an assistant the name, the instructions and the settings of one of its versions, as a new version.',
  authScopes: { person: true },
  input: (t) => ({
    assistantId: t.field({ type: 'ID', description: 'The id of the assistant.' }),
    number: t.field({
      type: 'Int',
      rule: versionNumberRule,
      description: 'The number of the version to restore.',
    }),
    basedOn: t.field({
      type: 'Int',
      rule: versionNumberRule,
      required: false,
      description:
        'The number of the newest version that the caller knows. If there is a newer one, nothing is restored, and the error is CONFLICT.',
    }),
  }),
  resolve: async (input, context) => ({
    assistant: await restoreVersion(
      { ...input, person: personOf(context.viewer) },
      { ...writerOf(context), ...modelCheckOf(context) },
    ),
  }),
  payload: (t) => ({
    assistant: t.expose('assistant', {
      type: Assistant,
      description: 'The assistant after the change.',
    }),
  }),
});
