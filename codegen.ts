import type { CodegenConfig } from '@graphql-codegen/cli';

/** Typed documents for every operation file: what REST serves and what the tests ask. */
const config: CodegenConfig = {
  schema: 'schema/schema.graphql',
  documents: 'schema/operations/**/*.graphql',
  generates: {
    'src/rest/generated/operations.ts': {
      plugins: ['typescript-operations', 'typed-document-node'],
      config: {
        useTypeImports: true,
        strictScalars: true,
        enumsAsTypes: true,
        skipTypename: true,
        scalars: {
          ID: 'string',
          DateTime: 'string',
          EmailAddress: 'string',
          JSON: 'unknown',
          PageNumber: 'number',
          PageSize: 'number',
          PersonName: 'string',
          ResourceId: 'string',
          SearchText: 'string',
          TeamName: 'string',
        },
      },
    },
  },
};

export default config;
