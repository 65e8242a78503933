import { generateKey } from '../../src/modules/api-keys/key-format.ts';

/** Runs one statement: a connection to Postgres, or Prisma over the embedded database. */
type Run = (text: string, values: unknown[]) => Promise<unknown>;

export type Workspace = { organizationId: string; key: string };
type NewWorkspace = { slug: string; users: number; features?: string[]; seed: number };

const firstNames =
  'Maria,Anna,Emil,Paul,Lena,Jonas,Clara,Felix,Nora,Oskar,Ida,Anton,Mila,Theo,Greta,Karl,Frieda,Jakob,Luise,Hugo'.split(
    ',',
  );
const lastNames =
  'Amsel,Birke,Dohle,Esche,Falke,Ginster,Holler,Igel,Kiefer,Linde,Marder,Nessel,Otter,Pappel,Reiher,Salbei,Tanne,Ulme,Weide,Zeisig'.split(
    ',',
  );

/**
 * An organization with so many generated users, all in its default team and every fifth in a second
 * one. Plain SQL for whole sets, through every trigger and foreign key, so that the counters are
 * the application's own. The same seed makes the same rows: all that looks random is a hash of
 * seed, organization and row number.
 */
export async function fillWorkspace(
  run: Run,
  { slug, users, features = ['userManagement'], seed }: NewWorkspace,
): Promise<Workspace> {
  const { key, hash, prefix, lastFour } = generateKey('ORGANIZATION');
  await run(
    `with made as (insert into organizations (id, slug, name, features) values ($1, $1, $1, $2) returning id)
     insert into teams (id, organization_id, name, name_key, is_default)
     select id || '-default', id, 'Everyone', 'everyone', true from made
     union all
     select id || '-second', id, 'Support', 'support', false from made`,
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
