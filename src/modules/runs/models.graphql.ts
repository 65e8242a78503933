import { builder } from '../../graph/schema/builder.ts';
import type { ModelRegistry } from './models/model-registry.ts';
import './services.ts';

type AvailableModels = Pick<ModelRegistry, 'defaultModel' | 'providers'>;
const Models = builder.objectRef<AvailableModels>('Models').implement({
  description: 'The models that assistants can use.',
  fields: (t) => ({
    usual: t.exposeString('defaultModel', {
      description: 'The default model, for assistants that name no model.',
    }),
    providers: t.stringList({
      description: 'The provider names that are valid in `provider/model`.',
      resolve: ({ providers }) => [...providers],
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
