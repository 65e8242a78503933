import { createHash } from 'node:crypto';
import type { JsonSchema } from './document.ts';

/**
 * Values by field name. The example of a response repeats the values of the example of its request.
 */
export type ExampleValues = Readonly<Record<string, unknown>>;

type ExampleContext = {
  name?: string;
  owner?: string;
  requestValues?: ExampleValues;
};

const defaultValues: ExampleValues = {
  'Pricing.model': 'FIXED',
  after: 'WyJ1c2VyczpDUkVBVEVEX0FUOkRFU0MiLCIyMDI2LTAxLTE1VDA5OjMwOjAwLjAwMFoiLCIwMTk3YTNjMiJd',
  before: 'WyJ1c2VyczpDUkVBVEVEX0FUOkRFU0MiLCIyMDI2LTAxLTE0VDE2OjAyOjExLjAwMFoiLCIwMTk3YTFiNyJd',
  allowedEmailDomains: 'example.com',
  amountEur: 49.9,
  billedAt: '2026-02-01T08:00:00.000Z',
  billingAmount: 49.9,
  billingBatchId: 'INV-2026-02',
  campaignName: 'Spring offer',
  completedRedemptionsCount: 12,
  createdAt: '2026-01-15T09:30:00.000Z',
  derivations: 'chunks',
  durationMonths: 3,
  email: 'ada@example.com',
  etag: '"k3JtRz0mQ1yWc8vB"',
  expiresAt: '2026-12-31T23:59:59.000Z',
  extendedUntil: '2026-07-20T10:12:00.000Z',
  extensionReason: 'Agreed with sales',
  firstName: 'Ada',
  from: '2026-05-01',
  groupBy: 'day,model',
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  hasPassword: false,
  ifMatch: '"k3JtRz0mQ1yWc8vB"',
  includedSeats: 10,
  isAdmin: false,
  isDefault: false,
  lastLogin: '2026-03-02T14:05:12.480Z',
  lastEventId: 12,
  lastName: 'Lovelace',
  linkName: 'Link 1',
  linkToken: '7bQxV0m2LrT9aZc4KpYwE8sHd1NfGu3J',
  maxRedemptions: 500,
  memberCount: 3,
  mimeType: 'application/pdf',
  content: 'How many days of vacation do I get?',
  model: 'atrium-extractive',
  name: 'Research',
  newSponsoredUntil: '2026-07-20T10:12:00.000Z',
  organizationName: 'Analytical Engines Ltd',
  originalName: 'handbook.pdf',
  password: 'open sesame',
  passages: 42,
  reason: 'Agreed with sales',
  redeemedAt: '2026-01-20T10:12:00.000Z',
  reservedRedemptionsCount: 1,
  search: 'lovelace',
  size: 245760,
  sponsoredUntil: '2026-07-20T10:12:00.000Z',
  token: '7bQxV0m2LrT9aZc4KpYwE8sHd1NfGu3J',
  unit: 'PER_REDEMPTION',
  until: '2026-06-01',
  updatedAt: '2026-01-16T11:00:00.000Z',
  uploadedAt: '2026-01-15T09:30:00.000Z',
  url: 'https://atrium.example/auth?sponsored=7bQxV0m2LrT9aZc4KpYwE8sHd1NfGu3J',
  userEmail: 'ada@example.com',
};

/** Values that take precedence, so that the fields of an object fit together. */
const fittingValues: ExampleValues = {
  'BulkRedemptionResult.error': null,
  'BulkRedemptionResult.status': 'SUCCEEDED',
  'BulkUserResult.error': null,
  'BulkUserResult.status': 'SUCCEEDED',
  failed: 0,
};

const formatValues: ExampleValues = {
  email: 'ada@example.com',
  'date-time': '2026-01-15T09:30:00.000Z',
};

/** Returns a realistic value that fits the schema. It is the same for the same document. */
export function exampleOf(schema: JsonSchema, context: ExampleContext = {}): unknown {
  const { name = '', owner, requestValues = {} } = context;
  for (const fitting of [`${owner}.${name}`, name])
    if (Object.hasOwn(fittingValues, fitting)) return fittingValues[fitting];
  if (schema.const !== undefined) return schema.const;
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0], context);
  if (schema.properties) {
    const inner = { ...context, owner: schema.title ?? owner ?? '' };
    return Object.fromEntries(
      Object.entries(schema.properties).map(([key, property]) => [
        key,
        exampleOf(property, { ...inner, name: key }),
      ]),
    );
  }
  if (schema.items)
    return Array.isArray(requestValues[name])
      ? requestValues[name]
      : [exampleOf(schema.items, context)];
  if (Object.hasOwn(requestValues, name)) return requestValues[name];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (/^id$|Id$/.test(name)) return exampleId(name === 'id' ? (owner ?? '') : name.slice(0, -2));
  return (
    defaultValues[`${owner}.${name}`] ??
    defaultValues[name] ??
    formatValues[schema.format ?? ''] ??
    valueOfType(schema)
  );
}

function valueOfType({ type, minimum, minLength = 0, maxLength = 100 }: JsonSchema): unknown {
  const [first] = [type].flat();
  if (first === 'integer' || first === 'number') return minimum ?? 1;
  if (first === 'boolean') return true;
  if (first === 'string') return 'text'.padEnd(minLength, '.').slice(0, maxLength);
  return {};
}

/** A UUID of version 7 whose time fits the other examples, one for each kind of resource. */
export function exampleId(resource: string): string {
  const hex = createHash('sha256').update(resource.toLowerCase()).digest('hex');
  return `019bc0fd-89c0-7${hex.slice(0, 3)}-a${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}
