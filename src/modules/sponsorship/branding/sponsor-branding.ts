import { fragment } from '../../../platform/database/sql.ts';

/** What a partner shows on the pages of its links. */
export type SponsorBranding = {
  displayName: string | null;
  sentence: string | null;
  accentColor: number | null;
  logoHash: string | null;
};

/** The columns of `sponsor_brandings b`. */
export const brandingColumns = fragment`
  b.display_name as "displayName", b.sentence, b.accent_color as "accentColor", b.logo_hash as "logoHash"`;

export const noBranding: SponsorBranding = {
  displayName: null,
  sentence: null,
  accentColor: null,
  logoHash: null,
};
