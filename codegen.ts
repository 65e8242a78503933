import type { CodegenConfig } from '@graphql-codegen/cli';

/** Typed documents of the operations that REST serves, for the tests that ask the graph the same. */
const config: CodegenConfig = {
  schema: 'schema/schema.graphql',
  documents: 'schema/operations/**/*.graphql',
  silent: true,
  generates: {
    'test/support/generated/operations.ts': {
      plugins: ['typescript-operations', 'typed-document-node'],
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        skipTypename: true,
        // Every scalar of ours travels as text but these.
        defaultScalarType: 'string',
        scalars: { JSON: 'unknown', PageNumber: 'number', PageSize: 'number' },
      },
    },
  },
};

export default config;
