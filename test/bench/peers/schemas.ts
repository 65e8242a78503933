import type { FastifySchemaValidationError } from 'fastify';

const time = { type: 'string', format: 'date-time' } as const;
const text = { type: 'string' } as const;
const integer = { type: 'integer' } as const;

const object = <Properties extends Record<string, object>>(properties: Properties) => ({ type: 'object', properties, required: Object.keys(properties) });

const user = object({
  id: text,
  email: text,
  firstName: text,
  lastName: text,
  createdAt: time,
  lastLogin: { ...time, nullable: true },
  isAdmin: { type: 'boolean' },
  teams: { type: 'array', items: object({ id: text, name: text }) },
});

export const userAnswer = object({ status: text, user });
export const pageAnswer = object({
  status: text,
  users: { type: 'array', items: user },
  total: integer,
  page: integer,
  pageSize: integer,
  totalPages: integer,
});

// A query string holds text. Patterns keep the reading strict; numbers are made of it afterwards.
export const pageQuery = {
  type: 'object',
  properties: {
    page: { type: 'string', pattern: '^[1-9][0-9]{0,14}$', default: '1' },
    pageSize: { type: 'string', pattern: '^([1-9][0-9]?|100)$', default: '20' },
    search: { type: 'string', maxLength: 200, pattern: '^[^\\u0000]*$' },
  },
} as const;

const expectations: Record<string, string> = {
  page: 'page must be an integer of at least 1',
  pageSize: 'pageSize must be an integer from 1 to 100',
  search: 'search must be a string of at most 200 characters',
};

/** One message that names every parameter that is wrong. */
export function faultsOf(errors: FastifySchemaValidationError[]): string {
  const wrong = new Set(errors.map(({ instancePath }) => instancePath.slice(1)));
  return Object.keys(expectations)
    .filter((name) => wrong.has(name))
    .map((name) => expectations[name])
    .join('; ');
}
