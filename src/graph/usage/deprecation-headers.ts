import { type DocumentNode, type GraphQLSchema, NoDeprecatedCustomRule, validate } from 'graphql';
import { deprecatedParts } from './coordinates.ts';

/** Each reason begins with the day of the deprecation and the day after which the part is removed. */
const reasonForm = /^Since (\d{4}-\d{2}-\d{2}), removed after (\d{4}-\d{2}-\d{2}): ./;
const noticeDaysMin = 180;
const dayMs = 86_400_000;

/** The headers of an answer to this document; empty if it uses nothing that is deprecated. */
export type DeprecationHeaders = (document: DocumentNode) => Readonly<Record<string, string>>;

const none = {};

/**
 * Tells clients by `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) that their document uses what
 * will be removed. Throws if a reason of the schema does not name both days, six months apart.
 */
export function createDeprecationHeaders(schema: GraphQLSchema): DeprecationHeaders {
  const reasons = deprecatedParts(schema).map(({ reason }) => reason);
  for (const reason of reasons) requireNotice(reason);
  if (reasons.length === 0) return () => none;
  const headersByDocument = new WeakMap<DocumentNode, Readonly<Record<string, string>>>();
  return (document) => {
    const known = headersByDocument.get(document);
    if (known) return known;
    const headers = headersOf(schema, document);
    headersByDocument.set(document, headers);
    return headers;
  };
}

function headersOf(schema: GraphQLSchema, document: DocumentNode): Record<string, string> {
  // Each message of the rule ends with the reason of the schema.
  const uses = validate(schema, document, [NoDeprecatedCustomRule]).map(({ message }) =>
    noticeOf(message.slice(message.indexOf('Since '))),
  );
  if (uses.length === 0) return none;
  const since = Math.min(...uses.map((use) => use.since));
  const removedAfter = Math.min(...uses.map((use) => use.removedAfter));
  return {
    deprecation: `@${since / 1000}`,
    sunset: new Date(removedAfter).toUTCString(),
  };
}

function noticeOf(reason: string): { since: number; removedAfter: number } {
  const [, since = '', removedAfter = ''] = reasonForm.exec(reason) ?? [];
  return { since: Date.parse(since), removedAfter: Date.parse(removedAfter) };
}

function requireNotice(reason: string): void {
  const { since, removedAfter } = noticeOf(reason);
  if (!(removedAfter - since >= noticeDaysMin * dayMs))
    throw new Error(
      `The deprecation reason "${reason}" must begin with two days, at least ${noticeDaysMin} days apart: "Since 2026-11-23, removed after 2027-05-31: "`,
    );
}
