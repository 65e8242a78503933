import { builder } from '../../graph/builder.ts';
import type { Models as ModelsOfProcess } from './models/models.ts';
import './services.ts';

const Models = builder.objectRef<Pick<ModelsOfProcess, 'usual' | 'providers'>>('Models').implement({
  description: 'Which models assistants can have here.',
  fields: (t) => ({
    usual: t.exposeString('usual', { description: 'The model of assistants that name none.' }),
    providers: t.stringList({
      description: 'The names that `provider/model` may begin with.',
      resolve: ({ providers }) => [...providers],
    }),
  }),
});

builder.queryField('models', (t) =>
  t.field({
    type: Models,
    authScopes: { person: true },
    resolve: (_, __, { runs: { models } }) => models,
  }),
);
