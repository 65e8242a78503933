import { samplesOn } from './samples.ts';

const api = '/api/sponsorship/v1';
const unknown = (name: string, more: Record<string, unknown> = {}) => [
  { code: 'NOT_FOUND' as const, input: () => ({ [name]: 'unknown', ...more }) },
];

// The month before the first redemption.
const unknownMonth = { code: 'NOT_FOUND' as const, input: () => ({ month: '2026-04' }) };

export const sponsorshipSamples = samplesOn(
  ({ organization }) => organization(),
  [
    {
      call: `GET ${api}/campaigns`,
      input: () => ({ page: 1, pageSize: 10, status: 'ACTIVE' }),
      refusals: [{ code: 'BAD_INPUT', input: () => ({ pageSize: 101 }) }],
    },
    {
      call: `POST ${api}/campaigns`,
      input: () => ({
        name: 'Summer offer',
        durationMonths: 2,
        maxRedemptions: 500,
        expiresAt: '2030-01-01T00:00:00+02:00',
        includedSeats: 10,
        allowedEmailDomains: ['example.com', 'example.org'],
        allowedEmails: ['ada@example.net'],
      }),
      refusals: [
        {
          code: 'BAD_INPUT',
          input: () => ({
            name: '',
            durationMonths: 0,
            allowedEmails: ['ada@example.com', 'ada.example.com'],
          }),
        },
      ],
    },
    {
      call: `POST ${api}/campaigns`,
      title: 'with few fields',
      input: () => ({ name: 'Summer offer', durationMonths: 2, includedSeats: null }),
    },
    {
      call: `GET ${api}/campaigns/:campaignId`,
      input: ({ campaignId }) => ({ campaignId }),
      refusals: unknown('campaignId'),
    },
    // Undefined, null and a value differ in each API and each executor.
    {
      call: `PATCH ${api}/campaigns/:campaignId`,
      input: ({ campaignId }) => ({ campaignId, maxRedemptions: null, name: 'Summer offer' }),
      refusals: unknown('campaignId', { name: 'New' }),
    },
    {
      call: `PATCH ${api}/campaigns/:campaignId`,
      title: 'without a change',
      input: ({ campaignId }) => ({ campaignId }),
    },
    {
      call: `GET ${api}/campaigns/:campaignId/links`,
      input: ({ campaignId }) => ({ campaignId, page: 1, pageSize: 10 }),
      refusals: unknown('campaignId'),
    },
    {
      call: `GET ${api}/campaigns/:campaignId/links`,
      title: 'with a page after the last',
      input: ({ campaignId }) => ({ campaignId, page: 9, pageSize: 10 }),
    },
    {
      call: `POST ${api}/campaigns/:campaignId/links`,
      input: ({ campaignId }) => ({ campaignId, name: 'Newsletter' }),
      refusals: unknown('campaignId'),
    },
    {
      call: `POST ${api}/campaigns/:campaignId/links`,
      title: 'without a name',
      input: ({ campaignId }) => ({ campaignId }),
    },
    {
      call: `GET ${api}/links/:linkId`,
      input: ({ linkId }) => ({ linkId }),
      refusals: unknown('linkId'),
    },
    {
      call: `GET ${api}/links/:linkId/figures`,
      input: ({ linkId }) => ({ linkId, days: 3 }),
      refusals: [
        ...unknown('linkId'),
        { code: 'BAD_INPUT', input: ({ linkId }) => ({ linkId, days: 367 }) },
      ],
    },
    {
      call: `GET ${api}/campaigns/:campaignId/figures`,
      input: ({ campaignId }) => ({ campaignId, days: 3 }),
      refusals: [
        ...unknown('campaignId'),
        { code: 'BAD_INPUT', input: ({ campaignId }) => ({ campaignId, days: 367 }) },
      ],
    },
    {
      call: `PATCH ${api}/links/:linkId`,
      input: ({ linkId }) => ({ linkId, isActive: false }),
      refusals: unknown('linkId', { isActive: false }),
    },
    {
      call: `PATCH ${api}/links/:linkId`,
      title: 'without a change',
      input: ({ linkId }) => ({ linkId }),
    },
    {
      call: `PATCH ${api}/links/:linkId/password`,
      input: ({ linkId }) => ({ linkId, password: null }),
      refusals: unknown('linkId', { password: null }),
    },
    {
      call: `GET ${api}/campaigns/:campaignId/redemptions`,
      input: ({ campaignId }) => ({ campaignId, page: 1, pageSize: 10 }),
      refusals: unknown('campaignId'),
    },
    {
      call: `GET ${api}/campaigns/:campaignId/redemptions`,
      title: 'with a billing status',
      input: ({ campaignId }) => ({ campaignId, billingStatus: 'UNBILLED' }),
    },
    {
      call: `GET ${api}/redemptions/:redemptionId`,
      input: ({ redemptionId }) => ({ redemptionId }),
      refusals: unknown('redemptionId'),
    },
    {
      call: `PATCH ${api}/redemptions/:redemptionId/extend`,
      input: ({ redemptionId }) => ({
        redemptionId,
        newSponsoredUntil: '2030-01-01T00:00:00.000Z',
        reason: 'Agreed with sales',
      }),
      refusals: [
        {
          code: 'BAD_INPUT',
          input: ({ redemptionId }) => ({
            redemptionId,
            newSponsoredUntil: '2020-01-01T00:00:00.000Z',
          }),
        },
      ],
    },
    {
      call: `PATCH ${api}/redemptions/extend`,
      input: ({ redemptionId }) => ({
        redemptions: [redemptionId, 'unknown'].map((id) => ({
          redemptionId: id,
          newSponsoredUntil: '2030-01-01T00:00:00.000Z',
        })),
      }),
      refusals: [
        {
          code: 'BAD_INPUT',
          input: ({ redemptionId }) => ({
            redemptions: [{ redemptionId, newSponsoredUntil: '2020-01-01T00:00:00.000Z' }],
            atomic: true,
          }),
        },
      ],
    },
    {
      call: `PATCH ${api}/redemptions/billing`,
      input: ({ redemptionId }) => ({
        redemptions: [{ redemptionId, billingStatus: 'BILLED', billingBatchId: 'INV-1' }],
        atomic: true,
      }),
      refusals: [
        {
          code: 'NOT_FOUND',
          input: () => ({
            redemptions: [{ redemptionId: 'unknown', billingStatus: 'BILLED' }],
            atomic: true,
          }),
        },
        { code: 'BAD_INPUT', input: () => ({ redemptions: [] }) },
      ],
    },
    {
      call: `PATCH ${api}/redemptions/:redemptionId/billing`,
      input: ({ redemptionId }) => ({ redemptionId, billingStatus: 'BILLED', billingAmount: 49.9 }),
      refusals: unknown('redemptionId', { billingStatus: 'BILLED' }),
    },
    {
      call: `GET ${api}/statements`,
      input: () => ({ page: 1, pageSize: 12 }),
      refusals: [{ code: 'BAD_INPUT', input: () => ({ pageSize: 101 }) }],
    },
    {
      call: `GET ${api}/statements/:month`,
      input: () => ({ month: '2026-05' }),
      refusals: [unknownMonth],
    },
    {
      call: `GET ${api}/statements/:month/entries`,
      input: () => ({ month: '2026-05', page: 1, pageSize: 10 }),
      refusals: [unknownMonth],
    },
    {
      call: `GET ${api}/statements/:month/pdf`,
      input: () => ({ month: '2026-05', language: 'DE' }),
      refusals: [unknownMonth],
    },
  ],
);
