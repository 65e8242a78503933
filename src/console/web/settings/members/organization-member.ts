import type { MembersQuery } from './documents.ts';

export type OrganizationMember = MembersQuery['users']['items'][number];
