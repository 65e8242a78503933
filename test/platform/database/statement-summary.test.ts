import { describe, expect, it } from 'vitest';
import { summaryOf } from '../../../src/platform/database/statement-summary.ts';

describe('the summary of a statement', () => {
  it.each([
    ['select id from users where email = $1', 'select users'],
    ['\n  select a.id from assistants a left join shares s on s.id = a.id', 'select assistants'],
    ['insert into runs (id) values ($1)', 'insert runs'],
    ['insert into runs (id) values ($1) on conflict (id) do update set id = $1', 'insert runs'],
    ['select id from files where id = $1 for update skip locked', 'select files'],
    ['select id from files f for no key update of f', 'select files'],
    ['update quota_leases set expires_at = now()', 'update quota_leases'],
    ['delete from quota_leases where id = $1', 'delete quota_leases'],
    [
      'with step as (insert into run_steps (id) values ($1)) update runs set id = $1',
      'insert run_steps',
    ],
    ['SELECT "public"."users"."id" FROM "public"."users" WHERE 1=1', 'select users'],
    ['begin', 'begin'],
  ])('%s', (text, summary) => {
    expect(summaryOf(text)).toBe(summary);
  });

  it('contains no value of the statement', () => {
    expect(summaryOf("select secret from notes where secret = 'abc'")).toBe('select notes');
  });
});
