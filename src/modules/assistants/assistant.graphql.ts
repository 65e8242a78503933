import { personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { neverNull } from '../../graph/schema/presence.ts';
import { integerScalar, scalar, textScalar } from '../../graph/schema/scalars.ts';
import { selectsOnly } from '../../graph/schema/selection.ts';
import { writerOf } from '../audit/record-change.ts';
import { type accessLevels, allows } from './access.ts';
import { type Assistant as AssistantRow, briefAssistant } from './assistant.ts';
import { createAssistant } from './create-assistant.ts';
import { deleteAssistant } from './delete-assistant.ts';
import { listAssistants } from './list-assistants.ts';
import { requireAssistant } from './require-assistant.ts';
import { updateAssistant } from './update-assistant.ts';

declare module '../../graph/schema/builder.ts' {
  interface Scalars {
    AssistantName: { Input: string; Output: string };
    Instructions: { Input: string; Output: string };
    ModelName: { Input: string; Output: string };
    StepLimit: { Input: number; Output: number };
    Temperature: { Input: number; Output: number };
  }
}

builder.addScalarType(
  'AssistantName',
  textScalar('AssistantName', { min: 1, max: 200, description: 'An assistant’s name.' }),
);
builder.addScalarType(
  'Instructions',
  textScalar('Instructions', {
    min: 0,
    max: 20_000,
    lines: 'many',
    description: 'The instructions that the model gets before every run.',
  }),
);
builder.addScalarType(
  'ModelName',
  textScalar('ModelName', {
    min: 1,
    max: 200,
    description: 'A model of the default provider, or `provider/model`.',
  }),
);
builder.addScalarType(
  'StepLimit',
  integerScalar('StepLimit', {
    min: 1,
    max: 20,
    description: 'Steps that one run may take: 1 to 20.',
  }),
);
builder.addScalarType(
  'Temperature',
  scalar<number>(
    'Temperature',
    {
      expectation: 'a number from 0 to 2',
      description: 'The sampling temperature of the model: 0 to 2.',
      jsonSchema: { type: 'number', minimum: 0, maximum: 2 },
    },
    (value) => (typeof value === 'number' && value >= 0 && value <= 2 ? value : undefined),
  ),
);

export const AccessLevel = builder.enumType('AccessLevel', {
  description:
    'Each level includes the ones before it. VIEW: see and run an assistant. EDIT: change it and its files. OWNER: share and delete it.',
  values: {
    VIEW: { description: 'See the assistant and run it.' },
    EDIT: { description: 'Also change the assistant and its files.' },
    OWNER: { description: 'Also share the assistant and delete it.' },
  } satisfies Record<(typeof accessLevels)[number], object>,
});

export const Assistant = builder.objectRef<AssistantRow>('Assistant').implement({
  description: 'An assistant answers messages by its instructions and its files.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The id of the assistant, an opaque string that never changes.',
    }),
    name: t.exposeString('name', {
      description:
        'The display name, 1 to 200 characters. Several assistants can have the same one.',
    }),
    instructions: t.string({
      nullable: true,
      description:
        'The instructions that the model gets before every run. Null for a person who may only view the assistant.',
      resolve: ({ level, instructions }) => (allows(level, 'EDIT') ? instructions : null),
    }),
    model: t.exposeString('model', { nullable: true, description: 'Null: the default model.' }),
    temperature: t.exposeFloat('temperature', {
      nullable: true,
      description: 'Null: the default of the provider.',
    }),
    stepLimit: t.exposeInt('stepLimit', {
      description:
        'How many steps a run may take, 1 to 20. A step is one answer of the model, with the tools that it calls.',
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

const DeletedAssistant = builder.objectRef<{ assistantId: string }>('DeletedAssistant').implement({
  fields: (t) => ({
    success: t.boolean({ resolve: () => true }),
    assistantId: t.exposeID('assistantId'),
  }),
});

builder.queryFields((t) => ({
  assistants: t.field({
    type: [Assistant],
    description: 'Every assistant that the caller may run, newest first.',
    authScopes: { person: true },
    resolve: (_, __, { viewer, database }, info) =>
      listAssistants(
        { person: personOf(viewer), isBrief: selectsOnly(briefAssistant, info) },
        { database },
      ),
  }),
  assistant: t.field({
    type: Assistant,
    description: 'An assistant that the caller may view.',
    args: { assistantId: t.arg({ type: 'ResourceId', description: 'The id of the assistant.' }) },
    authScopes: { person: true },
    resolve: (_, { assistantId }, { viewer, database }) =>
      requireAssistant({ assistantId, person: personOf(viewer), level: 'VIEW' }, { database }),
  }),
}));

builder.mutationFields((t) => ({
  createAssistant: t.field({
    type: Assistant,
    description: 'Creates an assistant. The caller becomes its owner.',
    args: {
      name: t.arg({ type: 'AssistantName' }),
      instructions: t.arg({ type: 'Instructions', required: false }),
      model: t.arg({ type: 'ModelName', required: false }),
      temperature: t.arg({ type: 'Temperature', required: false }),
      stepLimit: t.arg({ type: 'StepLimit', required: false, description: 'The default is 5.' }),
    },
    authScopes: { person: true },
    resolve: (_, terms, context) =>
      createAssistant({ person: personOf(context.viewer), terms }, writerOf(context)),
  }),
  updateAssistant: t.field({
    type: Assistant,
    description: 'Changes an assistant. Fields that are left out stay as they are.',
    args: {
      assistantId: t.arg({ type: 'ResourceId' }),
      name: t.arg({ type: 'AssistantName', ...neverNull }),
      instructions: t.arg({ type: 'Instructions', ...neverNull }),
      model: t.arg({ type: 'ModelName', required: false, description: 'Null: the default model.' }),
      temperature: t.arg({
        type: 'Temperature',
        required: false,
        description: 'Null: the default of the provider.',
      }),
      stepLimit: t.arg({ type: 'StepLimit', ...neverNull }),
    },
    authScopes: { person: true },
    resolve: (_, { assistantId, ...terms }, context) =>
      updateAssistant({ assistantId, person: personOf(context.viewer), terms }, writerOf(context)),
  }),
  deleteAssistant: t.field({
    type: DeletedAssistant,
    description: 'Deletes an assistant with its files. This cannot be undone.',
    args: { assistantId: t.arg({ type: 'ResourceId' }) },
    authScopes: { person: true },
    resolve: async (_, { assistantId }, context) => {
      await deleteAssistant({ assistantId, person: personOf(context.viewer) }, writerOf(context));
      return { assistantId };
    },
  }),
}));
