import type { FastifySchemaValidationError } from 'fastify';
import type { FieldFault } from './errors.ts';

const time = { type: 'string', format: 'date-time' } as const;
const text = { type: 'string' } as const;
const integer = { type: 'integer' } as const;

const object = <Properties extends Record<string, object>>(properties: Properties) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

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

const page = { total: integer, page: integer, pageSize: integer, totalPages: integer };
const list = (item: object) => ({ type: 'array', items: item });
const orNull = (type: object) => ({ ...type, nullable: true });
const flag = { type: 'boolean' } as const;
const number = { type: 'number' } as const;

export const userAnswer = object({ status: text, user });
export const createdUserAnswer = object({ status: text, user, isNewUser: { type: 'boolean' } });
export const usersAnswer = object({ status: text, users: list(user), ...page });
const team = object({ id: text, name: text, isDefault: flag, memberCount: integer });
export const teamsAnswer = object({ status: text, teams: list(team) });
export const teamAnswer = object({ status: text, team });
export const assistantsAnswer = object({ assistants: list(object({ id: text, name: text })) });

const pricing = orNull(object({ model: text, amountEur: number, unit: text }));
const campaign = object({
  ...{
    id: text,
    name: text,
    durationMonths: integer,
    maxRedemptions: orNull(integer),
    expiresAt: orNull(time),
    includedSeats: orNull(integer),
  },
  ...{
    allowedEmailDomains: list(text),
    allowedEmails: list(text),
    pricing,
    isActive: flag,
    createdAt: time,
    updatedAt: time,
  },
  ...{ completedRedemptionsCount: integer, reservedRedemptionsCount: integer },
});
export const campaignAnswer = object({ status: text, campaign });
export const campaignsAnswer = object({ status: text, campaigns: list(campaign), ...page });
const link = object({
  id: text,
  name: text,
  token: text,
  url: text,
  isActive: flag,
  hasPassword: flag,
  createdAt: time,
  completedRedemptionsCount: integer,
});
export const linkAnswer = object({ status: text, link });
export const linksAnswer = object({ status: text, links: list(link), ...page });
const redemptionFields = {
  ...{
    id: text,
    redeemedAt: time,
    sponsoredUntil: time,
    extendedUntil: orNull(time),
    extensionReason: orNull(text),
    includedSeats: orNull(integer),
    pricing,
  },
  ...{
    billingStatus: text,
    billingAmount: orNull(number),
    billedAt: orNull(time),
    billingBatchId: orNull(text),
  },
  ...{ organizationName: text, userEmail: text, linkName: text },
};
export const redemptionAnswer = object({
  status: text,
  redemption: object({
    ...redemptionFields,
    campaignId: text,
    campaignName: text,
    linkToken: text,
  }),
});
export const successAnswer = object({ status: text, success: flag });
export const redemptionsAnswer = object({
  status: text,
  redemptions: list(object(redemptionFields)),
  ...page,
});

const file = {
  id: text,
  originalName: text,
  mimeType: text,
  size: integer,
  createdAt: time,
  updatedAt: time,
  processingStatus: text,
};
export const filesAnswer = object({
  files: list(object({ ...file, hash: text })),
  count: integer,
  assistantId: text,
});
const processing = {
  derivations: list(text),
  assistantId: text,
  processingStage: orNull(text),
  processingError: orNull(object({ code: text, message: text })),
};
export const fileAnswer = object({
  ...file,
  ...processing,
  pages: orNull(integer),
  passages: orNull(integer),
  hash: text,
  etag: text,
});

// Values of a query string are text. Patterns validate them strictly, and the handlers convert them
// to numbers.
export const pageQuery = (pageSize: number) =>
  ({
    type: 'object',
    properties: {
      page: { type: 'string', pattern: '^[1-9][0-9]{0,14}$', default: '1' },
      pageSize: { type: 'string', pattern: '^([1-9][0-9]?|100)$', default: String(pageSize) },
    },
  }) as const;
export const usersQuery = {
  type: 'object',
  properties: {
    ...pageQuery(20).properties,
    search: { type: 'string', maxLength: 200, pattern: '^[^\\u0000]*$' },
  },
} as const;

const expectations: Record<string, string> = {
  page: 'page must be an integer of at least 1',
  pageSize: 'pageSize must be an integer from 1 to 100',
  search: 'search must be a string of at most 200 characters',
};

/** One fault for each invalid parameter, in the format of our error responses. */
export function faultsOf(errors: FastifySchemaValidationError[]): FieldFault[] {
  const values = new Map(
    errors.map((error) => [error.instancePath.slice(1), Object(error).data as unknown]),
  );
  return Object.keys(expectations)
    .filter((name) => values.has(name))
    .map((name) => parameterFault(name, values.get(name)));
}

export const parameterFault = (name: string, value: unknown): FieldFault => ({
  field: name,
  ...faultOf(name, value),
});

function faultOf(name: string, value: unknown): Omit<FieldFault, 'field'> {
  const message = expectations[name] ?? '';
  if (Array.isArray(value))
    return { code: 'REPEATED', message: `${name} must be given once, not ${value.length} times` };
  const text = String(value);
  if (name !== 'search')
    return { code: /^-?(0|[1-9]\d*)$/.test(text) ? 'OUT_OF_RANGE' : 'INVALID_FORMAT', message };
  if (text.includes('\0'))
    return { code: 'INVALID_CHARACTERS', message: 'search must not contain control characters' };
  return { code: 'TOO_LONG', message: `${message}, but has ${text.length}` };
}
