import type { Database } from '../../../platform/database/database.ts';
import { brandingColumns, noBranding, type SponsorBranding } from './sponsor-branding.ts';

export async function readSponsorBranding(
  { organizationId }: { organizationId: string },
  { database }: { database: Database },
): Promise<SponsorBranding> {
  const [branding] = await database.sql<SponsorBranding>`
    select ${brandingColumns} from sponsor_brandings b where b.organization_id = ${organizationId}`;
  return branding ?? noBranding;
}
