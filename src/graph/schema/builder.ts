import SchemaBuilder from '@pothos/core';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import PrismaPlugin from '@pothos/plugin-prisma';
import type { Context } from '../../access/context.ts';
import type PrismaTypes from '../generated/prisma-types.ts';
import { getDatamodel } from '../generated/prisma-types.ts';
import { type Download, DownloadScalar } from './download.ts';
import './field-cost.ts';
import './null-on-error.ts';
import './input-check.ts';
import {
  DateTime,
  Decimal,
  Json,
  PasskeyCreationOptions,
  PasskeyRegistration,
  SafeInt,
} from './scalars.ts';
import './scope-check.ts';
import type { Upload } from '../../http/upload.ts';
import { UploadScalar } from './upload.ts';

/** Modules add scalars by declaration merging. */
export interface Scalars {
  ID: { Input: string; Output: string };
  Download: { Input: never; Output: Download };
  DateTime: { Input: Date; Output: Date | string };
  Decimal: { Input: number; Output: number };
  JSON: { Input: unknown; Output: unknown };
  PasskeyCreationOptions: { Input: never; Output: object };
  PasskeyRegistration: { Input: object; Output: never };
  SafeInt: { Input: number; Output: number };
  Upload: { Input: Upload; Output: never };
}

export type SchemaTypes = {
  Context: Context;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  DefaultInputFieldRequiredness: true;
  Scalars: { [Name in keyof Scalars]: Scalars[Name] };
};

export const builder = new SchemaBuilder<SchemaTypes>({
  // Scopes come first, so that no resolver runs before its viewer was checked.
  plugins: ['scopes', PrismaPlugin, DataloaderPlugin, 'fieldCost', 'inputCheck', 'nullOnError'],
  defaultFieldNullability: false,
  defaultInputFieldRequiredness: true,
  prisma: {
    client: (context) => context.database.prisma,
    dmmf: getDatamodel(),
    exposeDescriptions: false,
    onUnusedQuery: null,
  },
});

builder.addScalarType('DateTime', DateTime);
builder.addScalarType('Download', DownloadScalar);
builder.addScalarType('Decimal', Decimal);
builder.addScalarType('JSON', Json);
builder.addScalarType('PasskeyCreationOptions', PasskeyCreationOptions);
builder.addScalarType('PasskeyRegistration', PasskeyRegistration);
builder.addScalarType('SafeInt', SafeInt);
builder.addScalarType('Upload', UploadScalar);

builder.queryType({ description: 'Reads. None of them changes data.' });
builder.mutationType({
  description: 'Changes. The changes of one request are made one after the other, in its order.',
});
builder.subscriptionType({ description: 'Streams of events, sent as server-sent events.' });
