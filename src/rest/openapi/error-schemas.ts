import { errorCatalogue, fieldErrorCatalogue } from '../../platform/errors.ts';
import type { Schema } from './document.ts';

const meaningsOf = (entries: [string, string][]): string =>
  entries.map(([code, meaning]) => `${code}: ${meaning}.`).join(' ');

/** The body of every refusal, from the catalogue of errors. */
export const errorSchemas: Record<string, Schema> = {
  Error: {
    type: 'object',
    properties: {
      status: { type: 'string', const: 'error' },
      message: { type: 'string', description: 'What is wrong, for people.' },
      code: {
        type: 'string',
        enum: Object.keys(errorCatalogue),
        description: meaningsOf(
          Object.entries(errorCatalogue).map(([code, { meaning }]) => [code, meaning]),
        ),
      },
      requestId: {
        type: 'string',
        description: 'The same as the header X-Request-Id. Name it when you report a fault.',
      },
      errors: {
        type: 'array',
        items: { $ref: '#/components/schemas/FieldError' },
        description: 'Every value of the request that is wrong, with BAD_INPUT.',
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
          'Which value is wrong: a field such as messages[0].content, a parameter or a header by its name, or body for the body as a whole.',
      },
      code: {
        type: 'string',
        enum: Object.keys(fieldErrorCatalogue),
        description: meaningsOf(Object.entries(fieldErrorCatalogue)),
      },
      message: {
        type: 'string',
        description: 'What is wrong with it and what would be right, for people.',
      },
    },
    required: ['field', 'code', 'message'],
  },
};
