import format, { type FormatOptions } from 'icu-minify/format';
import { createElement, Fragment, type ReactNode } from 'react';
import type { ArgumentsOf, MessageKey, PlainKey, TagsOf } from './catalogue.ts';
import { dateFormat, numberFormat, pluralRules } from './format.ts';
import { locale } from './language.ts';
import { messageOf } from './messages.ts';

type TextArguments<Key extends MessageKey> = Key extends PlainKey
  ? []
  : [TagsOf<Key>] extends [never]
    ? [values: ArgumentsOf<Key>]
    : [values: never];

type RichArguments<Key extends MessageKey> = ArgumentsOf<Key> & {
  [Tag in TagsOf<Key>]: (content: ReactNode) => ReactNode;
};

const options: FormatOptions = {
  formatters: {
    getDateTimeFormat: (_, formatOptions) => dateFormat(formatOptions),
    getNumberFormat: (_, formatOptions) => numberFormat(formatOptions),
    getPluralRules: (_, formatOptions) => pluralRules(formatOptions),
  },
};

/** The text with this key in the language of the page. */
export const t = <Key extends MessageKey>(key: Key, ...[values]: TextArguments<Key>): string =>
  String(format(messageOf(key), locale(), values, options));

/**
 * The text with a key that is only known while the page runs. The values are all that its possible
 * messages name.
 */
export const textWith = (
  key: MessageKey,
  values: Readonly<Record<string, string | number>>,
): string => String(format(messageOf(key), locale(), values, options));

/** Options, tabs and other entries whose labels are keys, with the texts as their labels. */
export const withTexts = <Entry extends { label: PlainKey }>(
  entries: readonly Entry[],
): (Omit<Entry, 'label'> & { label: string })[] =>
  entries.map((entry) => ({ ...entry, label: t(entry.label) }));

/** A text with markup: each `<tag>` of the message is a function that gets the content. */
export function richText<Key extends MessageKey>(key: Key, values: RichArguments<Key>): ReactNode {
  const handlers = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'function' ? (parts: ReactNode[]) => value(together(parts)) : value,
  ]);
  const parts = format<ReactNode>(messageOf(key), locale(), Object.fromEntries(handlers), options);
  return Array.isArray(parts) ? together(parts) : parts;
}

/** The parts of a text need no keys: their number and order never change. */
const together = (parts: readonly ReactNode[]): ReactNode =>
  createElement(Fragment, null, ...parts);
