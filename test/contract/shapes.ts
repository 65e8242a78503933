import {
  boolean,
  filledText,
  integer,
  listOf,
  matching,
  number,
  objectWith,
  oneOf,
  orNull,
  type Shape,
  text,
  time,
} from './matchers.ts';

/**
 * The resources of part 2 of the specification, field by field, including the additions of the
 * decisions.
 */
export const assistant: Shape = { id: filledText, name: filledText };

export const listedFile: Shape = {
  id: filledText,
  originalName: filledText,
  mimeType: filledText,
  size: integer,
  createdAt: time,
  updatedAt: time,
};

export const fileMetadata: Shape = {
  ...listedFile,
  // Decision D19 adds the state of the processing.
  processingStatus: oneOf('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'),
  processingStage: orNull(oneOf('EXTRACTING', 'CHUNKING', 'EMBEDDING', 'INDEXING')),
  processingError: orNull(objectWith({ code: filledText, message: filledText })),
  derivations: listOf(oneOf('text', 'markdown', 'chunks', 'embeddings')),
  assistantId: filledText,
};

export const uploadedFile: Shape = {
  id: filledText,
  originalName: filledText,
  size: integer,
  mimeType: filledText,
  uploadedAt: time,
};

export const runResult: Shape = {
  text,
  model: filledText,
  messages: listOf(objectWith({ role: oneOf('assistant', 'tool') })),
  usage: objectWith({ promptTokens: integer, completionTokens: integer }),
  citations: listOf(text),
};

/** Decision D16: a citation with its quote and offsets. */
export const citationDetail: Shape = {
  marker: integer,
  documentId: orNull(filledText),
  originalName: filledText,
  page: orNull(integer),
  start: integer,
  end: integer,
  quote: filledText,
  score: number,
};

const pricing = objectWith({ model: filledText, amountEur: number, unit: filledText });

export const campaign: Shape = {
  id: filledText,
  name: filledText,
  durationMonths: oneOf(1, 2, 3, 4, 5, 6),
  maxRedemptions: orNull(integer),
  expiresAt: orNull(time),
  includedSeats: orNull(integer),
  allowedEmailDomains: listOf(filledText),
  allowedEmails: listOf(filledText),
  pricing: orNull(pricing),
  isActive: boolean,
  createdAt: time,
  updatedAt: time,
  completedRedemptionsCount: integer,
  reservedRedemptionsCount: integer,
};

export const link: Shape = {
  id: filledText,
  name: filledText,
  token: matching(/^[0-9A-Za-z]{32}$/),
  url: matching(/^https?:\/\/[^/]+\/auth\?sponsored=[0-9A-Za-z]{32}$/),
  isActive: boolean,
  hasPassword: boolean,
  createdAt: time,
  completedRedemptionsCount: integer,
};

export const redemption: Shape = {
  id: filledText,
  redeemedAt: time,
  sponsoredUntil: time,
  extendedUntil: orNull(time),
  extensionReason: orNull(text),
  includedSeats: orNull(integer),
  pricing: orNull(pricing),
  billingStatus: oneOf('UNBILLED', 'BILLED', 'DISPUTED', 'WAIVED'),
  billingAmount: orNull(number),
  billedAt: orNull(time),
  billingBatchId: orNull(text),
  organizationName: filledText,
  userEmail: filledText,
  linkName: filledText,
};

export const extendedRedemption: Shape = {
  ...redemption,
  campaignId: filledText,
  campaignName: filledText,
  linkToken: filledText,
};

export const user: Shape = {
  id: filledText,
  email: matching(/^[^@\s]+@[^@\s]+$/),
  firstName: text,
  lastName: text,
  createdAt: time,
  lastLogin: orNull(time),
  isAdmin: boolean,
  teams: listOf(objectWith({ id: filledText, name: filledText })),
};

export const team: Shape = {
  id: filledText,
  name: filledText,
  isDefault: boolean,
  memberCount: integer,
};

export const page: Shape = {
  total: integer,
  page: integer,
  pageSize: integer,
  totalPages: integer,
};
