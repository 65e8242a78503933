import { generateKey } from '../../src/modules/api-keys/key-format.ts';

/** Runs one statement on a connection to Postgres, or with Prisma on the embedded database. */
type RunStatement = (text: string, values: unknown[]) => Promise<unknown>;

export type FilledOrganization = { organizationId: string; key: string };
type OrganizationInput = { slug: string; users: number; features?: string[]; seed: number };

const firstNames =
  'Maria,Anna,Emil,Paul,Lena,Jonas,Clara,Felix,Nora,Oskar,Ida,Anton,Mila,Theo,Greta,Karl,Frieda,Jakob,Luise,Hugo'.split(
    ',',
  );
const lastNames =
  'Amsel,Birke,Dohle,Esche,Falke,Ginster,Holler,Igel,Kiefer,Linde,Marder,Nessel,Otter,Pappel,Reiher,Salbei,Tanne,Ulme,Weide,Zeisig'.split(
    ',',
  );

/**
 * Creates an organization with generated users. All are in its default team and every fifth is in a
 * second one. The statements insert complete sets and run every trigger and foreign key, so the
 * counters are those of the application. The same seed gives the same rows: everything that looks
 * random is a hash of seed, organization and row number.
 */
export async function fillOrganization(
  run: RunStatement,
  { slug, users, features = ['userManagement'], seed }: OrganizationInput,
): Promise<FilledOrganization> {
  const { key, hash, prefix, lastFour } = generateKey('ORGANIZATION');
  await run(
    `with created as (insert into organizations (id, slug, name, features) values ($1, $1, $1, $2) returning id)
     insert into teams (id, organization_id, name, name_key, is_default)
     select id || '-default', id, 'Everyone', 'everyone', true from created
     union all
     select id || '-second', id, 'Support', 'support', false from created`,
    [slug, features],
  );
  await run(
    `insert into users (id, email, first_name, last_name, created_at, last_login)
     select (lpad(to_hex(ms), 12, '0') || '7' || left(noise, 3) || '8' || right(noise, 15))::uuid::text,
            lower(first || '.' || last || '.') || i || '@' || $2::text || '.example', first, last, to_timestamp(ms / 1000.0),
            case when number % 10 < 8 then to_timestamp(ms / 1000.0) + interval '1 day' end
     from (select i, 1750000000000 + i * 1000 + number % 1000 as ms, number, noise,
                  ($4::text[])[1 + number % 20] as first, ($5::text[])[1 + number / 20 % 20] as last
           from (select i, md5(i || $2) as noise, abs(hashtextextended(i || $2, $3))::bigint as number from generate_series(1, $1::bigint) i) numbered) named`,
    [users, slug, seed, firstNames, lastNames],
  );
  await run(
    `insert into memberships (organization_id, user_id, user_created_at, role, accepted_at)
     select $1, id, created_at, case row_number() over (order by created_at) when 1 then 'ADMIN' else 'MEMBER' end::role, created_at
     from users where email like '%@' || $1 || '.example'`,
    [slug],
  );
  await run(
    `insert into team_memberships (team_id, user_id, organization_id)
     select $1 || '-default', user_id, $1 from memberships where organization_id = $1
     union all
     select $1 || '-second', user_id, $1 from memberships where organization_id = $1 and hashtextextended(user_id, $2) % 5 = 0`,
    [slug, seed],
  );
  await run(
    `insert into api_keys (id, kind, organization_id, name, hash, prefix, last_four, limit_per_minute, last_used_at)
     values ($1 || '-key', 'ORGANIZATION', $1, 'bench', $2, $3, $4, 2000000000, now())`,
    [slug, hash, prefix, lastFour],
  );
  return { organizationId: slug, key };
}
