import type { Services } from '../../access/context.ts';
import { personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  nodesSelectOnly,
  orderType,
  pageRequest,
} from '../../graph/schema/connection.ts';
import { distinct, integer, number, searchArg, text } from '../../graph/schema/input-rules.ts';
import { mutation } from '../../graph/schema/mutation.ts';
import { addNodeSource, Node } from '../../graph/schema/node.ts';
import { neverNull } from '../../graph/schema/presence.ts';
import { AssistantColor as AssistantColorValues } from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';
import { writerOf } from '../audit/record-change.ts';
import { type accessLevels, allows } from './access.ts';
import { type Assistant as AssistantRow, briefAssistant } from './assistant.ts';
import { createAssistant, type ModelCheck } from './create-assistant.ts';
import { deleteAssistant } from './delete-assistant.ts';
import { listAssistants } from './list-assistants.ts';
import { readAssistants } from './read-assistants.ts';
import { requireAssistant } from './require-assistant.ts';
import { updateAssistant } from './update-assistant.ts';

export const assistantNameRule = text({ min: 1, max: 200 });
const descriptionRule = text({ min: 0, max: 300 });
const instructionsRule = text({ min: 0, max: 20_000, lines: 'many' });
const modelNameRule = text({ min: 1, max: 200 });
export const versionNumberRule = integer({ min: 1, max: 2_147_483_647 });
const stepLimitRule = integer({ min: 1, max: 20 });
export const temperatureRule = number({ min: 0, max: 2 });

export const AccessLevel = builder.enumType('AccessLevel', {
  description:
    'Each level includes the ones before it. VIEW: see and run an assistant. EDIT: change it and its files. OWNER: share and delete it.',
  values: {
    VIEW: { description: 'See the assistant and run it.' },
    EDIT: { description: 'Also change the assistant and its files.' },
    OWNER: { description: 'Also share the assistant and delete it.' },
  } satisfies Record<(typeof accessLevels)[number], object>,
});

const starterQuestionRule = text({ min: 1, max: 200 });
const starterQuestionsRule = distinct(
  {
    title: 'StarterQuestions',
    items: starterQuestionRule.jsonSchema,
    noun: 'questions',
    item: starterQuestionRule.expectation,
    max: 6,
  },
  (item) => String(starterQuestionRule.parse(item)),
);

export const AssistantColor = builder.enumType(AssistantColorValues, {
  name: 'AssistantColor',
  description: 'The colour by which people recognize an assistant in lists and chats.',
  values: {
    GRAY: { description: 'A neutral shade.' },
    RED: { description: 'A warm, strong shade.' },
    ORANGE: { description: 'Between red and yellow.' },
    GREEN: { description: 'Between yellow and teal.' },
    TEAL: { description: 'Between green and blue.' },
    BLUE: { description: 'The shade of the console.' },
    PURPLE: { description: 'Between blue and red.' },
    PINK: { description: 'A light, cool red.' },
  },
});

export const Assistant = builder.objectRef<AssistantRow>('Assistant').implement({
  interfaces: [Node],
  description: 'An assistant answers messages by its instructions and its files.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The id of the assistant, an opaque string that never changes.',
    }),
    name: t.exposeString('name', {
      description:
        'The display name, 1 to 200 characters. Several assistants can have the same one.',
    }),
    description: t.exposeString('description', {
      description:
        'What the assistant is for, at most 300 characters, for everybody who may run it. Empty: not set.',
    }),
    starterQuestions: t.exposeStringList('starterQuestions', {
      description: 'Questions that a new chat with the assistant offers, at most 6.',
      cost: { listSize: { assumedSize: 6 } },
    }),
    color: t.expose('color', {
      type: AssistantColor,
      nullable: true,
      description: 'The colour of the assistant. Null: clients choose one by the id.',
    }),
    instructions: t.string({
      nullable: true,
      description:
        'The instructions that the model gets before every run. Null for a person who may only view the assistant.',
      resolve: ({ level, instructions }) => (allows(level, 'EDIT') ? instructions : null),
    }),
    model: t.exposeString('model', {
      nullable: true,
      description: 'The model that answers; null: the default model.',
    }),
    temperature: t.exposeFloat('temperature', {
      nullable: true,
      description: 'The sampling temperature of the model; null: the default of the provider.',
    }),
    stepLimit: t.exposeInt('stepLimit', {
      description:
        'How many steps a run may take, 1 to 20. A step is one answer of the model, with the tools that it calls.',
    }),
    version: t.exposeInt('version', {
      description:
        'The number of its newest version, from 1. Each change of its name, instructions or settings makes one; see `assistantVersions`.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the assistant was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When its name, instructions or settings last changed.',
    }),
    myLevel: t.field({
      type: AccessLevel,
      description: 'The access level of the caller.',
      resolve: ({ level }) => level,
    }),
  }),
});

addNodeSource('Assistant', {
  scopes: { person: true },
  table: fragment`assistants`,
  load: (ids, { viewer, database }) =>
    readAssistants({ ids, person: personOf(viewer) }, { database }),
});

const AssistantConnection = connectionType('Assistant', Assistant);
const AssistantOrder = orderType('AssistantOrder', {
  CREATED_AT: 'When the assistant was created.',
  NAME: 'The name, regardless of case.',
});

builder.queryFields((t) => ({
  assistants: t.field({
    type: AssistantConnection,
    description:
      'The assistants that the caller may run, newest first by default. Without arguments all of them.',
    args: {
      ...connectionArgs(),
      search: t.arg(searchArg()),
      isFavorite: t.arg.boolean({
        required: false,
        description: 'Only favourites of the caller, or only the others.',
      }),
      updatedSince: t.arg({
        type: 'DateTime',
        required: false,
        description:
          'Only assistants that were created, changed or made available to the caller at this time or later, the earliest change first.',
      }),
      orderBy: t.arg({
        type: AssistantOrder,
        required: false,
        description: 'The order of the list.',
      }),
    },
    cost: connectionCost('all'),
    authScopes: { person: true },
    resolve: (_, args, { viewer, database }, info) => {
      const isBrief = nodesSelectOnly(briefAssistant, info);
      return listAssistants(
        { ...args, person: personOf(viewer), isBrief },
        pageRequest(args, info, 'all'),
        { database },
      );
    },
  }),
  assistant: t.field({
    type: Assistant,
    description: 'An assistant that the caller may view.',
    args: { assistantId: t.arg({ type: 'ID', description: 'The id of the assistant.' }) },
    authScopes: { person: true },
    resolve: (_, { assistantId }, { viewer, database }) =>
      requireAssistant({ assistantId, person: personOf(viewer), level: 'VIEW' }, { database }),
  }),
}));

export const modelCheckOf = ({ runs: { models } }: Services): ModelCheck => ({
  requireModel: models.catalogue.requireModel,
});

mutation('createAssistant', {
  description: 'Creates an assistant. The caller becomes its owner.',
  authScopes: { person: true },
  input: (t) => ({
    name: t.field({ type: 'String', rule: assistantNameRule, description: 'The display name.' }),
    description: t.field({
      type: 'String',
      rule: descriptionRule,
      required: false,
      description: 'What the assistant is for. The default is empty.',
    }),
    instructions: t.field({
      type: 'String',
      rule: instructionsRule,
      required: false,
      description: 'The instructions that the model gets before every run.',
    }),
    model: t.field({
      type: 'String',
      rule: modelNameRule,
      required: false,
      description:
        'A model of the default provider, or `provider/model`, which the query `models` lists; null or absent: the default model.',
    }),
    temperature: t.field({
      type: 'Float',
      rule: temperatureRule,
      required: false,
      description:
        'The sampling temperature of the model; null or absent: the default of the provider.',
    }),
    stepLimit: t.field({
      type: 'Int',
      rule: stepLimitRule,
      required: false,
      description: 'The default is 5.',
    }),
    starterQuestions: t.field({
      type: ['String'],
      rule: starterQuestionsRule,
      required: false,
      description: 'Questions that a new chat offers, at most 6. The default is an empty list.',
    }),
    color: t.field({
      type: AssistantColor,
      required: false,
      description: 'Null or absent: clients choose a colour by the id.',
    }),
  }),
  resolve: async (terms, context) => ({
    assistant: await createAssistant(
      { person: personOf(context.viewer), terms },
      { ...writerOf(context), ...modelCheckOf(context) },
    ),
  }),
  payload: (t) => ({
    assistant: t.expose('assistant', { type: Assistant, description: 'The new assistant.' }),
  }),
});

mutation('updateAssistant', {
  description: 'Changes an assistant. Fields that are left out stay as they are.',
  authScopes: { person: true },
  input: (t) => ({
    assistantId: t.field({ type: 'ID', description: 'The id of the assistant.' }),
    name: t.field({
      type: 'String',
      rule: assistantNameRule,
      ...neverNull,
      description: 'The new name.',
    }),
    description: t.field({
      type: 'String',
      rule: descriptionRule,
      ...neverNull,
      description: 'The new description; an empty one removes it.',
    }),
    instructions: t.field({
      type: 'String',
      rule: instructionsRule,
      ...neverNull,
      description: 'The new instructions, which the model gets before every run.',
    }),
    model: t.field({
      type: 'String',
      rule: modelNameRule,
      required: false,
      description:
        'Null: the default model. A model that has disappeared can stay, and cannot be chosen again.',
    }),
    temperature: t.field({
      type: 'Float',
      rule: temperatureRule,
      required: false,
      description: 'The sampling temperature of the model; null: the default of the provider.',
    }),
    stepLimit: t.field({
      type: 'Int',
      rule: stepLimitRule,
      ...neverNull,
      description: 'Steps that one run may take.',
    }),
    starterQuestions: t.field({
      type: ['String'],
      rule: starterQuestionsRule,
      ...neverNull,
      description: 'The questions that a new chat offers; they replace the ones before.',
    }),
    color: t.field({
      type: AssistantColor,
      required: false,
      description: 'Null: clients choose a colour by the id.',
    }),
    basedOn: t.field({
      type: 'Int',
      rule: versionNumberRule,
      required: false,
      description:
        'The number of the version that the change is based on. If there is a newer one, the change is refused with CONFLICT, and the message says who made it and when.',
    }),
  }),
  resolve: async ({ assistantId, basedOn, ...terms }, context) => ({
    assistant: await updateAssistant(
      { assistantId, person: personOf(context.viewer), terms, basedOn },
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

mutation('deleteAssistant', {
  description: 'Deletes an assistant with its files. This cannot be undone.',
  authScopes: { person: true },
  input: (t) => ({
    assistantId: t.field({ type: 'ID', description: 'The id of the assistant.' }),
  }),
  resolve: async ({ assistantId }, context) => {
    await deleteAssistant({ assistantId, person: personOf(context.viewer) }, writerOf(context));
    return { deletedAssistantId: assistantId };
  },
  payload: (t) => ({
    deletedAssistantId: t.exposeID('deletedAssistantId', {
      description: 'The id of the deleted assistant.',
    }),
  }),
});
