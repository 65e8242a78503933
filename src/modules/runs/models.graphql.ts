import { builder } from '../../graph/schema/builder.ts';
import type { AvailableModel } from './models/model-catalogue.ts';
import type { ModelRegistry } from './models/model-registry.ts';
import './services.ts';

const Model = builder.objectRef<AvailableModel>('Model').implement({
  description:
    'A model that assistants can choose. What it can do is null where neither its provider nor the settings say.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name that an assistant gives as its model.' }),
    contextTokens: t.exposeInt('contextTokens', {
      nullable: true,
      description: 'How many tokens the question, the files and the answer can have together.',
    }),
    callsTools: t.exposeBoolean('callsTools', {
      nullable: true,
      description: 'Whether it can call tools, such as the search of the files.',
    }),
    readsImages: t.exposeBoolean('readsImages', {
      nullable: true,
      description: 'Whether it can read images.',
    }),
    reasons: t.exposeBoolean('reasons', {
      nullable: true,
      description: 'Whether it can reason before it answers.',
    }),
    structuresOutput: t.exposeBoolean('structuresOutput', {
      nullable: true,
      description: 'Whether it can answer in the form of a JSON schema.',
    }),
  }),
});

type Models = Pick<ModelRegistry, 'defaultModel' | 'providers' | 'catalogue'>;
const Models = builder.objectRef<Models>('Models').implement({
  description: 'The models that assistants can use.',
  fields: (t) => ({
    usual: t.exposeString('defaultModel', {
      description: 'The default model, for assistants that name no model.',
    }),
    providers: t.stringList({
      description: 'The provider names that are valid in `provider/model`.',
      resolve: ({ providers }) => [...providers],
    }),
    available: t.field({
      type: [Model],
      description:
        'The models that can be chosen, at most 1,000. Providers are asked once a minute at most.',
      cost: { listSize: { assumedSize: 100 } },
      resolve: async ({ catalogue }) => [...(await catalogue.list()).models],
    }),
    isComplete: t.boolean({
      description:
        'Whether every provider lists its models. If not, `available` may lack models of the others, whose names are accepted unchecked.',
      resolve: async ({ catalogue }) => (await catalogue.list()).isComplete,
    }),
  }),
});

builder.queryField('models', (t) =>
  t.field({
    type: Models,
    description: 'The models that assistants can use.',
    authScopes: { person: true },
    resolve: (_, __, { runs: { models } }) => models,
  }),
);
