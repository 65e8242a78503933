import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import PrismaPlugin from '@pothos/plugin-prisma';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import type { Context } from './context.ts';
import type PrismaTypes from './generated/prisma-types.ts';
import { getDatamodel } from './generated/prisma-types.ts';
import './presence.ts';
import { DateTime, Json, PageNumber, PageSize, ResourceId, SearchText } from './scalars.ts';
import { type AuthScopes, scopesOf } from './scopes.ts';

/** Modules add scalars of their own by declaration merging. */
export interface Scalars {
  ID: { Input: string; Output: string };
  DateTime: { Input: Date; Output: Date | string };
  JSON: { Input: unknown; Output: unknown };
  PageNumber: { Input: number; Output: number };
  PageSize: { Input: number; Output: number };
  ResourceId: { Input: string; Output: string };
  SearchText: { Input: string; Output: string };
}

export type SchemaTypes = {
  Context: Context;
  PrismaTypes: PrismaTypes;
  AuthScopes: AuthScopes;
  DefaultAuthStrategy: 'all';
  DefaultFieldNullability: false;
  DefaultInputFieldRequiredness: true;
  Scalars: { [Name in keyof Scalars]: Scalars[Name] };
};

export const builder = new SchemaBuilder<SchemaTypes>({
  // Scopes come first, so that nothing of a field runs before its viewer was checked.
  plugins: [ScopeAuthPlugin, PrismaPlugin, DataloaderPlugin, ComplexityPlugin, 'presence'],
  defaultFieldNullability: false,
  defaultInputFieldRequiredness: true,
  scopeAuth: { defaultStrategy: 'all', authScopes: scopesOf },
  prisma: { client: (context) => context.database.prisma, dmmf: getDatamodel(), exposeDescriptions: false, onUnusedQuery: null },
  // Costs are declared on the fields and weighed once for each request of /graphql (limits.ts), not for each root field.
  complexity: { disabled: true, defaultComplexity: 1, defaultListMultiplier: 10 },
});

builder.addScalarType('DateTime', DateTime);
builder.addScalarType('JSON', Json);
builder.addScalarType('PageNumber', PageNumber);
builder.addScalarType('PageSize', PageSize);
builder.addScalarType('ResourceId', ResourceId);
builder.addScalarType('SearchText', SearchText);

builder.queryType({});
builder.mutationType({});
