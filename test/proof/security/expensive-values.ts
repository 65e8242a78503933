import { getNullableType, isInputObjectType, isListType } from 'graphql';
import { type RootInput, sampleOf } from '../../support/schema-operations.ts';

/** A kind of text that is expensive to process, of about the given number of bytes. */
export type TextShape = { name: string; text: (bytes: number) => string };

const repeated = (name: string, unit: string): TextShape => ({
  name,
  text: (bytes) => unit.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(unit)))),
});

function distinctWords(bytes: number): string {
  const words: string[] = [];
  for (let length = 0, index = 0; length < bytes - 9; index += 1) {
    const word = `w${index.toString(36)}`;
    words.push(word);
    length += word.length + 1;
  }
  return words.join(' ');
}

/**
 * Texts for everything that readers look for: words, sentences, lines, brackets, marks, numbers.
 */
export const textShapes: readonly TextShape[] = [
  repeated('blanks', ' '),
  repeated('one letter', 'a'),
  { name: 'distinct words', text: distinctWords },
  repeated('combining marks', '\u0301\u0316'),
  repeated('brackets', '['),
  repeated('short sentences', 'a. '),
  repeated('line breaks', '\n'),
  repeated('numbers', '1,'),
];

type ValueSchema = { maxLength?: number; maxItems?: number; items?: { format?: string } };
export type IdsByName = Readonly<Record<string, string>>;

/** The kind of values that an input takes: its type and its rule. */
export const valueKindOf = ({ type, extensions }: RootInput): string =>
  `${type} ${extensions.rule?.expectation}`;

/** The largest value that an argument or input field accepts, in this shape. */
export function worstValue(
  input: RootInput,
  shape: TextShape,
  ids: IdsByName,
  bytesMax: number,
): unknown {
  const { name, extensions } = input;
  const type = getNullableType(input.type);
  const known = ids[name];
  if (known !== undefined) return known;
  if (name === 'messages') return [{ user: [shape.text(bytesMax)] }];
  const valueSchema: ValueSchema = extensions.rule?.jsonSchema ?? {};
  if (isListType(type)) {
    const { maxItems = 1_000, items } = valueSchema;
    const item = (index: number) =>
      items?.format === 'email' ? `a${index}@example.com` : `a${index}.example.com`;
    return items
      ? Array.from({ length: maxItems }, (_, index) => item(index))
      : Array.from({ length: maxItems }, () =>
          worstValue({ ...input, type: type.ofType }, shape, ids, bytesMax / maxItems),
        );
  }
  if (isInputObjectType(type))
    return Object.fromEntries(
      Object.values(type.getFields()).map((field) => [
        field.name,
        worstValue(field, shape, ids, bytesMax),
      ]),
    );
  if (type.name === 'JSON' || type.name === 'PasskeyRegistration')
    return { text: shape.text(bytesMax) };
  return type.name === 'ID' || type.name === 'String'
    ? shape.text(Math.min(bytesMax, valueSchema.maxLength ?? bytesMax))
    : sampleOf(input, 'a');
}

type OversizedKind = { name: string; value: (bytes: number) => unknown };

/** Values that no type accepts, as large as a body may be. The server must refuse them cheaply. */
export const oversizedKinds: readonly OversizedKind[] = [
  ...textShapes.map(({ name, text }) => ({ name: `too many ${name}`, value: text })),
  { name: 'a list of numbers', value: (bytes) => Array.from({ length: bytes / 2 }, () => 1) },
  { name: 'a list of objects', value: (bytes) => Array.from({ length: bytes / 3 }, () => ({})) },
  { name: 'nested lists', value: () => JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`) },
  {
    name: 'many keys',
    value: (bytes) =>
      Object.fromEntries(Array.from({ length: bytes / 12 }, (_, index) => [`k${index}`, 1])),
  },
];

export const oversized = ({ value }: OversizedKind, bytes: number): unknown => value(bytes);
