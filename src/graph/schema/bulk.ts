import type { ObjectRef } from '@pothos/core';
import type { ItemRefusal } from '../../platform/bulk.ts';
import { type AppError, type FieldError, InputError } from '../../platform/errors.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { ErrorCode, FieldErrorCode } from './error-catalogue.ts';
import { sizedByParent } from './field-cost.ts';
import type { PayloadBuilder } from './mutation.ts';

/** How many items a bulk call takes. One statement locks all rows until the last one is written. */
export const bulkItemsMax = 1_000;

declare module 'graphql' {
  interface GraphQLArgumentExtensions {
    /** The maximum number of items of a list, which must not be empty. */
    itemsMax?: number;
  }
  interface GraphQLInputFieldExtensions {
    itemsMax?: number;
  }
}

/** Argument options to spread for the list of a bulk call. */
export const bulkList = { extensions: { itemsMax: bulkItemsMax } };

/** Argument options to spread: whether a bulk call changes all items or none. */
export const atomicOption = {
  type: 'Boolean',
  defaultValue: false,
  description:
    'True: all items are changed or none. If one is refused, the call answers the error of the first refused item, and errors names all of them.',
} as const;

const BulkItemStatus = builder.enumType('BulkItemStatus', {
  description: 'Whether an item of a bulk call was carried out.',
  values: {
    SUCCEEDED: { description: 'The item was carried out.' },
    FAILED: { description: 'The item was refused, and nothing of it was changed.' },
  },
});

const ItemFault = builder.objectRef<FieldError>('ItemFault').implement({
  description: 'One wrong value of an item.',
  fields: (t) => ({
    field: t.exposeString('field', {
      description: 'The field that has the wrong value, such as `email`.',
    }),
    code: t.expose('code', {
      type: FieldErrorCode,
      description: 'A constant of the table of wrong values.',
    }),
    message: t.exposeString('message', { description: 'A sentence for people.' }),
  }),
});

const ItemErrorStatus = builder.enumType('ItemErrorStatus', {
  description: 'The status in an error body of REST, which has only one value.',
  values: { ERROR: { description: 'The body is an error.' } },
});

/** The error is wrapped, because GraphQL throws an error that a resolver returns. */
const ItemError = builder.objectRef<{ refusal: AppError }>('ItemError').implement({
  description: 'The error body that the single call would have answered for an item.',
  fields: (t) => ({
    status: t.field({
      type: ItemErrorStatus,
      description: 'The status of an error body.',
      resolve: () => 'ERROR' as const,
    }),
    message: t.string({
      description: 'A sentence for people.',
      resolve: ({ refusal }) => refusal.message,
    }),
    code: t.field({
      type: ErrorCode,
      description: 'A constant of the table of errors.',
      resolve: ({ refusal }) => refusal.code,
    }),
    requestId: t.string({
      description: 'The id of the request.',
      resolve: (_, __, { requestId }) => requestId,
    }),
    errors: t.field({
      type: [ItemFault],
      description: 'With BAD_INPUT every wrong value, otherwise empty.',
      resolve: ({ refusal }) => (refusal instanceof InputError ? [...refusal.errors] : []),
    }),
  }),
});

type BulkItem = { refusal: ItemRefusal };

/** The fields that the result of every item has. */
export const itemFields = <Item extends BulkItem>(
  t: PothosSchemaTypes.ObjectFieldBuilder<PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>, Item>,
) => ({
  status: t.field({
    type: BulkItemStatus,
    description: 'Whether the item was carried out.',
    resolve: ({ refusal }) => (refusal ? 'FAILED' : 'SUCCEEDED'),
  }),
  error: t.field({
    type: ItemError,
    nullable: true,
    description: 'Why the item was refused; null if it was carried out.',
    resolve: ({ refusal }) => (refusal ? { refusal } : null),
  }),
});

type BulkPayload<Item> = { items: readonly Item[] };

/** The payload of a bulk call: a result for each item, in the order of the request. */
export const bulkPayload =
  <Item extends BulkItem>(
    item: ObjectRef<PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>, Item, Item>,
  ) =>
  (t: PayloadBuilder<BulkPayload<Item>>) => ({
    succeeded: t.int({
      description: 'How many items were carried out.',
      resolve: ({ items }) => items.filter(({ refusal }) => !refusal).length,
    }),
    failed: t.int({
      description: 'How many items were refused.',
      resolve: ({ items }) => items.filter(({ refusal }) => refusal).length,
    }),
    results: t.field({
      type: [item],
      description: 'A result for each item, in the order of the request.',
      cost: { listSize: sizedByParent },
      resolve: ({ items }) => [...items],
    }),
  });
