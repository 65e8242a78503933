import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expireEntries } from '../../../src/modules/audit/sealing/expire-entries.ts';
import { rootOfPath } from '../../../src/modules/audit/sealing/merkle-tree.ts';
import { hashLine } from '../../../src/modules/audit/sealing/sealed-entry.ts';
import { verifyExport } from '../../../src/modules/audit/verifying/verify-export.ts';
import { parseKeySet } from '../../../src/modules/runs/receipts/verify-receipt.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { sealNow } from '../../support/sealing.ts';

const path = '/api/audit/v1';
const dayMs = 86_400_000;
type Entry = { id: string; position: number; leafHash: string; action: string; at: string };
type Page = { status: string; entries: Entry[]; next: string; hasMore: boolean };

let app: TestApp;
let owner: TestOrganization;
let now = new Date();
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '1000000' }, { clock: () => now });
});
afterAll(() => app.close());
beforeEach(async () => {
  now = new Date();
  owner = await app.organization();
});

const seal = () =>
  sealNow(app.database, { clock: () => now, signingKeys: app.contextParts.receiptKeys });
const createTeams = async (count: number, name = 'Team') => {
  for (let number = 0; number < count; number += 1)
    await owner.manage('POST', '/teams', { name: `${name} ${number}` });
};
const page = async (query = '', organization = owner) =>
  (await organization.call('GET', `${path}/entries${query}`)).body as Page;
const download = (query: string, { key } = owner) =>
  app.fetch(
    new Request(`http://atrium.test${path}/entries${query}`, {
      headers: { authorization: `Bearer ${key}` },
    }),
  );
const exported = async (query = '', organization = owner) => {
  const answer = await download(`?format=ndjson${query}`, organization);
  expect(answer.status).toBe(200);
  return answer.text();
};
async function verify(text: string) {
  const { text: keys } = await app.request('GET', '/.well-known/atrium-receipts.json');
  async function* chunks() {
    yield Buffer.from(text);
  }
  return verifyExport({ chunks: chunks(), keys: parseKeySet(keys) });
}
const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('Entries', () => {
  it('are read in the order of their positions, once they are sealed', async () => {
    await createTeams(3);
    expect(await page()).toEqual({ status: 'success', entries: [], next: '0', hasMore: false });
    await seal();
    const { entries, next, hasMore } = await page();
    expect(entries.map(({ position }) => position)).toEqual(entries.map((_, index) => index));
    expect(entries.slice(-3).map(({ action }) => action)).toEqual(Array(3).fill('create-team'));
    expect(hasMore).toBe(false);
    await createTeams(1, 'Later');
    await seal();
    const later = await page(`?after=${next}`);
    expect(later.entries).toMatchObject([{ action: 'create-team', position: entries.length }]);
  });

  it('are the same in pages, in the export, and in the audit log of the graph', async () => {
    await createTeams(5);
    await seal();
    const all = (await page()).entries;
    const paged: Entry[] = [];
    for (let after = '', more = true; more; ) {
      const part = await page(`?limit=2${after}`);
      paged.push(...part.entries);
      after = `&after=${part.next}`;
      more = part.hasMore;
    }
    expect(paged).toEqual(all);
    expect(linesOf(await exported()).slice(0, -1)).toEqual(all);
    const rows = await app.database.sql<{ id: string }>`
      select id from audit_entries where organization_id = ${owner.id} order by tx_id, position`;
    expect(all.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });

  it('have the hash of their line', async () => {
    await createTeams(2);
    await seal();
    const { entries } = await page();
    expect(entries.length).toBeGreaterThan(1);
    for (const { leafHash, ...line } of entries)
      expect(hashLine(line).toString('hex')).toBe(leafHash);
  });

  it('of a period are read by their times', async () => {
    await createTeams(1);
    now = new Date(now.getTime() + 2 * dayMs);
    const start = now.toISOString();
    await createTeams(2, 'Middle');
    now = new Date(now.getTime() + 2 * dayMs);
    const end = now.toISOString();
    await createTeams(1, 'Late');
    await seal();
    const middle = await page(`?from=${start}&until=${end}`);
    expect(middle.entries.map(({ at }) => at)).toEqual([start, start]);
    const text = await exported(`&from=${start}&until=${end}`);
    expect(linesOf(text)).toHaveLength(3);
    expect((await verify(text)).faults).toEqual([]);
    const future = new Date(now.getTime() + dayMs).toISOString();
    expect((await page(`?from=${future}`)).entries).toEqual([]);
    expect((await verify(await exported(`&from=${future}`))).faults).toEqual([]);
    expect((await verify(await exported('&until=2020-01-01T00:00:00.000Z'))).faults).toEqual([]);
  });

  it('of a period that ends before it begins are refused, as by the other calls with a period', async () => {
    const end = now.toISOString();
    for (const from of [end, new Date(now.getTime() + 1).toISOString()])
      for (const format of ['json', 'csv', 'ndjson'])
        expect(
          await owner.call('GET', `${path}/entries?format=${format}&from=${from}&until=${end}`),
        ).toMatchObject({
          status: 400,
          body: {
            errors: [
              { field: 'until', code: 'OUT_OF_RANGE', message: 'until must be later than from' },
            ],
          },
        });
  });

  it('are exported as CSV, with the changes as JSON', async () => {
    await createTeams(1);
    await seal();
    const answer = await download('?format=csv');
    const [head, ...lines] = (await answer.text()).trimEnd().split('\r\n');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(head).toBe(
      'position,id,at,actorKind,actorKeyId,actorUserId,action,targetType,targetId,changes,requestId,network,device,leafHash',
    );
    expect(lines).toHaveLength((await page()).entries.length);
    expect(lines.at(-1)).toContain('""field"":""name"",""value"":""Team 0""');
  });

  it('need a cursor of an earlier answer and a known format', async () => {
    for (const query of ['?after=x', '?after=-1', '?limit=0', '?limit=1001', '?format=xml'])
      expect((await owner.call('GET', `${path}/entries${query}`)).status).toBe(400);
    expect((await owner.call('GET', `${path}/entries?format=csv&limit=5`)).status).toBe(400);
  });
});

describe('Access', () => {
  it('needs the feature audit', async () => {
    const without = await app.organization({ features: ['userManagement'] });
    for (const at of ['/entries', '/checkpoints', '/checkpoints/latest', '/entries/x/proof'])
      expect((await without.call('GET', `${path}${at}`)).status).toBe(403);
    expect((await without.call('GET', `${path}/entries?format=csv`)).status).toBe(403);
  });

  it('is to the own log only', async () => {
    await createTeams(2);
    const other = await app.organization();
    await seal();
    const [entry] = (await page()).entries;
    expect((await page('', other)).entries.map(({ id }) => id)).not.toContain(entry?.id);
    expect((await other.call('GET', `${path}/entries/${entry?.id}/proof`)).status).toBe(404);
    const own = await owner.call('GET', `${path}/checkpoints/latest`);
    const foreign = await other.call('GET', `${path}/checkpoints/latest`);
    expect(own.text).toContain(owner.id);
    expect(foreign.text).not.toContain(owner.id);
    expect(await exported('', other)).not.toContain(owner.id);
  });
});

describe('Checkpoints', () => {
  it('name the root of the one before, and are signed with the published key', async () => {
    const latest = () => owner.call('GET', `${path}/checkpoints/latest`);
    expect((await latest()).status).toBe(404);
    await createTeams(1);
    await seal();
    await createTeams(1, 'Second');
    await seal();
    // Nothing is new, so nothing is signed.
    await seal();
    const { body } = await owner.call('GET', `${path}/checkpoints`);
    const { checkpoints, hasMore } = body as { checkpoints: Record<string, unknown>[] } & Page;
    const [first, second] = checkpoints;
    expect(checkpoints).toHaveLength(2);
    expect(hasMore).toBe(false);
    expect(first).toMatchObject({ organizationId: owner.id, previousRoot: null });
    expect(second).toMatchObject({ previousRoot: first?.['root'], at: now.toISOString() });
    expect((await latest()).body['checkpoint']).toEqual(second);
    const [one] = Object((await owner.call('GET', `${path}/checkpoints?limit=1`)).body).checkpoints;
    expect(one).toEqual(first);
    const rest = await owner.call('GET', `${path}/checkpoints?after=${first?.['size']}`);
    expect(rest.body['checkpoints']).toEqual([second]);
    expect((await owner.call('GET', `${path}/checkpoints?after=x`)).status).toBe(400);
    const changed = (await exported()).replace(
      /"root":"(.)/,
      (_, digit) => `"root":"${digit === 'f' ? 'e' : 'f'}`,
    );
    expect((await verify(changed)).faultCount).toBeGreaterThan(0);
  });
});

describe('Proofs', () => {
  it('lead from each entry to the root of the newest checkpoint', async () => {
    await createTeams(6);
    await seal();
    const { entries } = await page();
    for (const { id, position, leafHash } of entries) {
      const { body } = await owner.call('GET', `${path}/entries/${id}/proof`);
      const { proof } = body as { proof: Record<string, unknown> & { path: string[] } };
      expect(proof).toMatchObject({ leafIndex: position, leafHash, treeSize: entries.length });
      const root = rootOfPath(Buffer.from(leafHash, 'hex'), {
        ...{ leafIndex: position, treeSize: entries.length },
        path: proof.path.map((hash) => Buffer.from(hash, 'hex')),
      });
      expect(Object(proof['checkpoint']).root).toBe(root?.toString('hex'));
    }
  });

  it('of an entry that is not sealed yet are a conflict, and of none not found', async () => {
    await createTeams(1);
    const [entry] = await app.database.sql<{ id: string }>`
      select id from audit_entries where organization_id = ${owner.id} limit 1`;
    expect((await owner.call('GET', `${path}/entries/${entry?.id}/proof`)).status).toBe(409);
    expect((await owner.call('GET', `${path}/entries/unknown/proof`)).status).toBe(404);
  });

  it('hold in a tree of thousands of entries', async () => {
    await app.database.sql`
      insert into audit_entries (id, organization_id, actor_kind, action, target_type, target_id, changes)
      select new_id(), ${owner.id}, 'SYSTEM', 'rename-team', 'Team', 'team', jsonb_build_object('name', number)
      from generate_series(1, 2700) number`;
    await seal();
    await createTeams(1);
    await seal();
    const text = await exported();
    expect(await verify(text)).toMatchObject({ faults: [] });
    const lines = linesOf(text).slice(0, -1) as Entry[];
    expect(lines.length).toBeGreaterThan(2_700);
    for (const entry of [lines[0], lines[255], lines[256], lines[1_500], lines.at(-1)]) {
      const { body } = await owner.call('GET', `${path}/entries/${entry?.id}/proof`);
      const { proof } = body as { proof: Record<string, unknown> & { path: string[] } };
      const root = rootOfPath(Buffer.from(entry?.leafHash ?? '', 'hex'), {
        ...{ leafIndex: entry?.position ?? 0, treeSize: lines.length },
        path: proof.path.map((hash) => Buffer.from(hash, 'hex')),
      });
      expect(Object(proof['checkpoint']).root).toBe(root?.toString('hex'));
    }
  });
});

describe('A change in the database', () => {
  const withoutTriggers = async (statement: string) => {
    const run = (text: string) => app.database.prisma.$executeRawUnsafe(text);
    await run('alter table audit_entries disable trigger user');
    await run(statement);
    await run('alter table audit_entries enable trigger user');
  };

  it('of an entry is found in the export, and the entry is named', async () => {
    await createTeams(4);
    await seal();
    const { entries } = await page();
    const changed = entries[2];
    await withoutTriggers(
      `update audit_entries set action = 'delete-team' where id = '${changed?.id}'`,
    );
    expect((await verify(await exported())).faults).toEqual([
      { line: 3, message: `The entry ${changed?.id} of position 2 was changed` },
    ]);
  });

  it('that removes an entry is found in the export', async () => {
    await createTeams(4);
    await seal();
    const { entries } = await page();
    await withoutTriggers(`delete from audit_entries where id = '${entries[1]?.id}'`);
    expect((await verify(await exported())).faults[0]).toEqual({
      line: 2,
      message: 'The entry of position 1 is missing before this line',
    });
  });

  it('is refused without that', async () => {
    await createTeams(1);
    await seal();
    for (const table of ['audit_entries', 'audit_leaves', 'audit_checkpoints'])
      await expect(app.database.prisma.$executeRawUnsafe(`delete from ${table}`)).rejects.toThrow(
        'append-only',
      );
  });
});

describe('The retention', () => {
  it('deletes the oldest entries, which an entry says, and proofs of the others hold', async () => {
    await createTeams(3, 'Old');
    await seal();
    const old = (await page()).entries;
    now = new Date(now.getTime() + 100 * dayMs);
    await createTeams(2, 'New');
    await seal();
    const { database } = app;
    const dependencies = { database, clock: () => now, days: 90 };
    expect(await expireEntries(dependencies)).toBeGreaterThanOrEqual(old.length);
    expect(await expireEntries(dependencies)).toBe(0);
    await seal();
    const { entries } = await page();
    expect(entries[0]?.position).toBe(old.length);
    expect(entries.at(-1)).toMatchObject({
      action: 'expire-audit-entries',
      changes: [
        { field: 'endPosition', value: old.length, before: null },
        { field: 'firstPosition', value: 0, before: null },
      ],
    });
    const text = await exported();
    expect(await verify(text)).toMatchObject({ first: old.length, faults: [] });
    const { status } = await owner.call('GET', `${path}/entries/${entries[0]?.id}/proof`);
    expect(status).toBe(200);
    const gone = await owner.call('GET', `${path}/entries/${old[0]?.id}/proof`);
    expect(Object(gone.body['proof']).leafHash).toBe(old[0]?.leafHash);
  });

  it('keeps what no checkpoint covers', async () => {
    await createTeams(1);
    const before = now;
    now = new Date(now.getTime() + 100 * dayMs);
    await expireEntries({ database: app.database, clock: () => now, days: 90 });
    const [row] = await app.database.sql<{ count: number }>`
      select count(*)::int as count from audit_entries where organization_id = ${owner.id} and at <= ${before}`;
    expect(row?.count).toBeGreaterThan(0);
  });
});

describe('The graph', () => {
  it('answers the same as REST', async () => {
    await createTeams(3);
    await seal();
    const { data, errors } = await app.graph(
      owner.key,
      `{
        sealedAuditEntries(limit: 2) { entries { position id leafHash } next hasMore }
        auditCheckpoints { checkpoints { size root jws } hasMore }
        latestAuditCheckpoint { size root }
      }`,
    );
    expect(errors).toEqual([]);
    const { entries, next } = await page('?limit=2');
    expect(data?.['sealedAuditEntries']).toEqual({
      entries: entries.map(({ position, id, leafHash }) => ({ position, id, leafHash })),
      ...{ next, hasMore: true },
    });
    const proof = await app.graph(
      owner.key,
      'query ($id: ID!) { auditProof(entryId: $id) { leafIndex treeSize checkpoint { root } } }',
      { id: entries[1]?.id },
    );
    const { size, root } = Object(data?.['latestAuditCheckpoint']);
    expect(proof.data?.['auditProof']).toEqual({
      ...{ leafIndex: 1, treeSize: size },
      checkpoint: { root },
    });
    const userKey = await owner.userKey(owner.administratorId);
    const refused = await app.graph(userKey.key, '{ latestAuditCheckpoint { size } }');
    expect(refused.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });
});
