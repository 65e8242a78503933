import { errorCatalogue, fieldErrorCatalogue, graphCodes } from '../../platform/errors.ts';
import type { JsonSchema } from './document.ts';

const meaningsOf = (entries: [string, string][]): string =>
  entries.map(([code, meaning]) => `${code}: ${meaning}.`).join(' ');

const codes = Object.entries(errorCatalogue).filter(([code]) => !graphCodes.has(code));

/** The schemas of the body of an error, computed from the catalogue of errors. */
export const errorSchemas: Record<string, JsonSchema> = {
  ErrorBody: {
    type: 'object',
    properties: {
      status: { type: 'string', const: 'error' },
      message: { type: 'string', description: 'A description of the error, for people.' },
      code: {
        type: 'string',
        enum: codes.map(([code]) => code),
        description: meaningsOf(codes.map(([code, { meaning }]) => [code, meaning])),
      },
      requestId: {
        type: 'string',
        description: 'The same as the header X-Request-Id. Quote it when you report a problem.',
      },
      errors: {
        type: 'array',
        items: { $ref: '#/components/schemas/FieldError' },
        description: 'With BAD_INPUT: every invalid value of the request.',
      },
    },
    required: ['status', 'message', 'code', 'requestId'],
  },
  FieldError: {
    type: 'object',
    properties: {
      field: {
        type: 'string',
        description:
          'The invalid value: a field such as messages[0].content, a parameter or a header by its name, or body for the entire body.',
      },
      code: {
        type: 'string',
        enum: Object.keys(fieldErrorCatalogue),
        description: meaningsOf(Object.entries(fieldErrorCatalogue)),
      },
      message: {
        type: 'string',
        description: 'What is wrong with the value and what is expected, for people.',
      },
    },
    required: ['field', 'code', 'message'],
  },
};
