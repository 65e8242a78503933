import {
  GraphQLError,
  GraphQLScalarType,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import type { FieldErrorCode } from '../../platform/errors.ts';
import { InputFault } from '../../platform/input-fault.ts';
import { jsonKindOf } from '../../platform/parse-json.ts';
import { dateTimeExpectation, readDateTime } from './date-time.ts';

/**
 * What a value must be: `expectation` is for people ("must be …"), `jsonSchema` for OpenAPI, and
 * `specifiedBy` is the address of the format's specification.
 */
type ScalarContract = {
  expectation: string;
  jsonSchema: Record<string, unknown>;
  description: string;
  specifiedBy: string;
};

declare module 'graphql' {
  interface GraphQLScalarTypeExtensions {
    contract?: ScalarContract;
  }
}

/** An InputFault as GraphQL reports it, with the position of a literal in the document. */
export class ScalarError extends GraphQLError {
  readonly code: FieldErrorCode;
  readonly subpath: string;

  constructor({ code, message, subpath }: InputFault, node: ValueNode | null) {
    super(message, { nodes: node });
    this.code = code;
    this.subpath = subpath;
  }
}

/**
 * Returns undefined for a value of another kind, and throws an InputFault for a value of the right
 * kind that is invalid.
 */
type ParseScalar<T> = (value: unknown) => T | undefined;

const kinds: Readonly<Record<string, readonly string[]>> = {
  string: ['a string'],
  integer: ['a number'],
  number: ['a number', 'a fraction'],
  boolean: ['a boolean'],
  array: ['a list'],
  object: ['an object'],
};

type ValueExpectation = { expectation: string; jsonType: unknown };

/**
 * The reason why a value is invalid: it is null, it has another type, or it has the right type and
 * is out of bounds.
 */
export function mismatch(
  { expectation, jsonType }: ValueExpectation,
  value: unknown,
): { code: FieldErrorCode; message: string } {
  const kind = jsonKindOf(value);
  if (value === null) return { code: 'NOT_NULLABLE', message: `must be ${expectation}, not null` };
  if (kinds[String(jsonType)]?.includes(kind) === false)
    return { code: 'WRONG_TYPE', message: `must be ${expectation}, not ${kind}` };
  return {
    code: jsonType === 'integer' || jsonType === 'number' ? 'OUT_OF_RANGE' : 'INVALID_FORMAT',
    message: `must be ${expectation}`,
  };
}

/** Creates a scalar from one parse function, which also parses literals in documents. */
export function scalar<T>(
  name: string,
  contract: ScalarContract,
  parse: ParseScalar<T>,
  serialize: (value: unknown) => unknown = (value) => value,
) {
  const valueExpectation = {
    expectation: contract.expectation,
    jsonType: contract.jsonSchema['type'],
  };
  const accept = (value: unknown, node: ValueNode | null = null): T => {
    try {
      const parsed = parse(value);
      if (parsed !== undefined) return parsed;
      const { code, message } = mismatch(valueExpectation, value);
      throw new InputFault(code, message);
    } catch (error) {
      throw error instanceof InputFault ? new ScalarError(error, node) : error;
    }
  };
  return new GraphQLScalarType({
    name,
    description: contract.description,
    specifiedByURL: contract.specifiedBy,
    serialize,
    parseValue: (value) => accept(value),
    parseLiteral: (node, variables) => {
      // An enum value in a document is a name without quotes, which no custom scalar accepts as a
      // string.
      if (node.kind === Kind.ENUM)
        throw new ScalarError(
          new InputFault(
            'WRONG_TYPE',
            `must be ${contract.expectation}, not a name without quotes`,
          ),
          node,
        );
      return accept(valueFromASTUntyped(node, variables), node);
    },
    extensions: { contract },
  });
}

export const DateTime = scalar<Date>(
  'DateTime',
  {
    expectation: dateTimeExpectation,
    description: 'An ISO 8601 date-time; responses are in UTC with milliseconds.',
    specifiedBy: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
    jsonSchema: { type: 'string', format: 'date-time' },
  },
  (value) => {
    if (typeof value !== 'string') return undefined;
    const date = readDateTime(value);
    if (date instanceof Date) return date;
    throw new InputFault(date.code, date.message);
  },
  (value) => (value instanceof Date ? value.toISOString() : value),
);

/** The type Int ends at 2,147,483,647. */
export const SafeInt = scalar<number>(
  'SafeInt',
  {
    expectation: `an integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
    description:
      'An integer that JSON and JavaScript hold exactly: from -9007199254740991 to 9007199254740991.',
    jsonSchema: { type: 'integer' },
    specifiedBy: 'https://tc39.es/ecma262/#sec-number.issafeinteger',
  },
  (value) => (Number.isSafeInteger(value) ? Number(value) : undefined),
);

export const Decimal = scalar<number>(
  'Decimal',
  {
    expectation: 'a number',
    description: 'An amount of money in decimal notation, a JSON number such as 49.9.',
    jsonSchema: { type: 'number' },
    specifiedBy: 'https://www.rfc-editor.org/rfc/rfc8259#section-6',
  },
  (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined),
);

export const Json = scalar<unknown>(
  'JSON',
  {
    expectation: 'a JSON value',
    description: 'Any JSON value.',
    jsonSchema: {},
    specifiedBy: 'https://www.rfc-editor.org/rfc/rfc8259',
  },
  (value) => value,
);

/** An object in a format of WebAuthn, which the browser or the library of the server reads. */
const webAuthn = (name: string, description: string, dictionary: string) =>
  scalar<object>(
    name,
    {
      expectation: 'an object',
      description,
      jsonSchema: { type: 'object' },
      specifiedBy: `https://www.w3.org/TR/webauthn-3/#dictdef-${dictionary}`,
    },
    (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined,
  );

export const PasskeyCreationOptions = webAuthn(
  'PasskeyCreationOptions',
  'The options with which a browser creates a passkey, in the JSON form of WebAuthn.',
  'publickeycredentialcreationoptionsjson',
);

export const PasskeyRegistration = webAuthn(
  'PasskeyRegistration',
  'A passkey that a browser created: PublicKeyCredential.toJSON() of WebAuthn.',
  'registrationresponsejson',
);
