import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../../graph/builder.ts';
import type { Page } from './page.ts';

/** The type of a page of these items. */
export function pageType<Item>(
  name: string,
  item: ObjectRef<PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>, Item, Item>,
) {
  return builder.objectRef<Page<Item>>(name).implement({
    fields: (t) => ({
      // The page's own field has counted its size already.
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
