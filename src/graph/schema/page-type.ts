import type { ObjectRef } from '@pothos/core';
import type { Page } from '../../platform/database/page.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { integer } from './input-rules.ts';

/** The arguments of a field that returns a page. */
export const pageArgs = (pageSize: number) =>
  builder.args((t) => ({
    page: t.field({
      type: 'SafeInt',
      rule: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      defaultValue: 1,
      description: 'The number of the page, from 1. A page after the last one is empty.',
    }),
    pageSize: t.field({
      type: 'Int',
      rule: integer({ min: 1, max: 100 }),
      defaultValue: pageSize,
      description: 'How many entries a page has at most.',
    }),
  }));

/** The cost of a field that returns a page: its items count as often as the page is long. */
export const pageCost = ({ pageSize }: { pageSize: number }) => ({
  field: 1,
  multiplier: pageSize,
});

/** The descriptions of the fields that every page has. */
export const pageTexts = {
  items: 'The entries of the page.',
  total: 'How many entries all pages have together.',
  page: 'The number of the page, from 1.',
  pageSize: 'How many entries a page has at most.',
  totalPages: 'How many pages there are; 0 if there are no entries.',
};

/** Defines the GraphQL type of a page of these items. */
export function pageType<Item>(
  name: string,
  item: ObjectRef<PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>, Item, Item>,
) {
  return builder.objectRef<Page<Item>>(name).implement({
    description: 'A page of a list.',
    fields: (t) => ({
      // The field that returns the page has already multiplied the cost by its size.
      items: t.field({
        type: [item],
        description: pageTexts.items,
        complexity: { multiplier: 1 },
        resolve: ({ items }) => items,
      }),
      total: t.exposeInt('total', { description: pageTexts.total }),
      page: t.expose('page', { type: 'SafeInt', description: pageTexts.page }),
      pageSize: t.exposeInt('pageSize', { description: pageTexts.pageSize }),
      totalPages: t.exposeInt('totalPages', { description: pageTexts.totalPages }),
    }),
  });
}
