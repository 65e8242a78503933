import { change, type Writer } from '../../audit/record-change.ts';
import { toColorNumber, toColorText } from './accent-color.ts';
import { readLogo } from './logo.ts';
import { brandingColumns, noBranding, type SponsorBranding } from './sponsor-branding.ts';

type SetSponsorBrandingInput = {
  displayName?: string | null | undefined;
  sentence?: string | null | undefined;
  /** Such as "#1a2b3c". */
  accentColor?: string | null | undefined;
  /** In Base64. */
  logo?: string | null | undefined;
};

/** Changes what the pages of links show. Null deletes a value, and what is absent stays. */
export async function setSponsorBranding(
  { displayName, sentence, accentColor, logo }: SetSponsorBrandingInput,
  writer: Writer,
): Promise<void> {
  const newLogo = logo == null ? logo : await readLogo(logo);
  const { organizationId } = writer.actor;
  await change(writer, async (tx, record, at) => {
    // The row of the organization is locked: a first branding has no row yet.
    const [before = noBranding] = await tx.sql<SponsorBranding>`
      with locked as (select id from organizations where id = ${organizationId} for no key update)
      select ${brandingColumns} from locked left join sponsor_brandings b on b.organization_id = locked.id`;
    const next: SponsorBranding = {
      displayName: displayName === undefined ? before.displayName : displayName,
      sentence: sentence === undefined ? before.sentence : sentence,
      accentColor:
        accentColor == null
          ? accentColor === null
            ? null
            : before.accentColor
          : toColorNumber(accentColor),
      logoHash: newLogo === undefined ? before.logoHash : (newLogo?.hash ?? null),
    };
    const changes = Object.fromEntries(
      Object.entries(next).filter(([name, value]) => Object(before)[name] !== value),
    );
    if (Object.keys(changes).length === 0) return;
    tx.enqueue`
      insert into sponsor_brandings (organization_id, display_name, sentence, accent_color, updated_at)
      values (${organizationId}, ${next.displayName}, ${next.sentence}, ${next.accentColor}, ${at})
      on conflict (organization_id) do update set display_name = excluded.display_name, sentence = excluded.sentence,
        accent_color = excluded.accent_color, updated_at = excluded.updated_at`;
    if (newLogo !== undefined)
      tx.enqueue`
        update sponsor_brandings set logo = ${newLogo?.bytes ?? null}, logo_type = ${newLogo?.type ?? null}::logo_type, logo_hash = ${next.logoHash}
        where organization_id = ${organizationId}`;
    record({
      action: 'set-sponsor-branding',
      targetType: 'Organization',
      targetId: organizationId,
      changes:
        typeof changes['accentColor'] === 'number'
          ? { ...changes, accentColor: toColorText(changes['accentColor']) }
          : changes,
    });
  });
}
