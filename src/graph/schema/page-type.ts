import type { ObjectRef } from '@pothos/core';
import type { Page } from '../../platform/database/page.ts';
import { builder, type SchemaTypes } from './builder.ts';

/** The arguments of a field that returns a page. */
export const pageArgs = (pageSize: number) =>
  builder.args((t) => ({
    page: t.field({ type: 'PageNumber', defaultValue: 1 }),
    pageSize: t.field({ type: 'PageSize', defaultValue: pageSize }),
  }));

/** The cost of a field that returns a page: its items count as often as the page is long. */
export const pageCost = ({ pageSize }: { pageSize: number }) => ({
  field: 1,
  multiplier: pageSize,
});

/** Defines the GraphQL type of a page of these items. */
export function pageType<Item>(
  name: string,
  item: ObjectRef<PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>, Item, Item>,
) {
  return builder.objectRef<Page<Item>>(name).implement({
    fields: (t) => ({
      // The field that returns the page has already multiplied the cost by its size.
      items: t.field({
        type: [item],
        complexity: { multiplier: 1 },
        resolve: ({ items }) => items,
      }),
      total: t.exposeInt('total'),
      page: t.expose('page', { type: 'PageNumber' }),
      pageSize: t.exposeInt('pageSize'),
      totalPages: t.exposeInt('totalPages'),
    }),
  });
}
