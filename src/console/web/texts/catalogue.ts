import type { GetICUArgs } from '@schummar/icu-type-parser';
import type { English } from './english.ts';

/** A part of the texts, which is loaded with the pages that show it. */
export type TextSection = keyof English;

type KeysOf<Section extends TextSection> = `${Section}.${keyof English[Section] & string}`;
export type MessageKey = { [Section in TextSection]: KeysOf<Section> }[TextSection];

type MessageOf<Key extends MessageKey> =
  Key extends `${infer Section extends TextSection}.${infer Name}`
    ? Name extends keyof English[Section]
      ? English[Section][Name] & string
      : never
    : never;

/** The keys of texts without arguments, such as the label of a state. */
export type PlainKey = {
  [Key in MessageKey]: MessageOf<Key> extends `${string}${'{' | '<'}${string}` ? never : Key;
}[MessageKey];

/** The arguments of a text, as its message names them. */
export type ArgumentsOf<Key extends MessageKey> = GetICUArgs<
  MessageOf<Key>,
  { ICUArgument: string | number; ICUNumberArgument: number; ICUDateArgument: Date }
>;

/** The names of the tags of a text: `b` and `link` in `<b>One</b> and <link>two</link>`. */
export type TagsOf<Key extends MessageKey> = TagsIn<MessageOf<Key>>;

type TagsIn<Message extends string> = Message extends `${string}</${infer Name}>${infer Rest}`
  ? Name | TagsIn<Rest>
  : never;

/** Messages of one section in another language, with exactly the keys of the English ones. */
export type Translation<Messages> = { readonly [Key in keyof Messages]: string };
