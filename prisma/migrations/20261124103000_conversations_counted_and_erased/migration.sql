-- Quota of files ----------------------------------------------------------------------------------------------------
-- Attachments occupy the storage as other files do, so they count in the same totals.

create function count_attachments() returns trigger language plpgsql as $$
declare
  changed text := case tg_op
    when 'INSERT' then 'select organization_id, 1 as one, size from added_rows'
    when 'DELETE' then 'select organization_id, -1 as one, size from removed_rows'
    else 'select organization_id, 1 as one, size from added_rows union all select organization_id, -1, size from removed_rows' end;
  counter_name text;
  owner text;
begin
  for counter_name, owner in execute
    'insert into counter_deltas (counter, owner_id, organization_id, delta)
     select total.counter, sums.organization_id, sums.organization_id, total.delta
     from (select organization_id, sum(one) as files, sum(one * size::bigint) as bytes from (' || changed || ') changed group by organization_id) sums
     cross join lateral (values (''organization.files'', sums.files), (''organization.bytes'', sums.bytes)) total(counter, delta)
     where total.delta <> 0 returning counter, owner_id'
  loop
    if random() < 0.01 then perform fold_counter(counter_name, owner); end if;
  end loop;
  return null;
end $$;

create trigger conversation_attachments_counted_in after insert on conversation_attachments
  referencing new table as added_rows for each statement execute function count_attachments();
create trigger conversation_attachments_counted_out after delete on conversation_attachments
  referencing old table as removed_rows for each statement execute function count_attachments();
create trigger conversation_attachments_counted_over after update on conversation_attachments
  referencing old table as removed_rows new table as added_rows for each statement execute function count_attachments();
create trigger conversation_attachments_not_truncated before truncate on conversation_attachments
  for each statement execute function refuse_truncate();

-- Attachments that were there before.
insert into counter_deltas (counter, owner_id, organization_id, delta)
select total.counter, sums.organization_id, sums.organization_id, total.delta
from (select organization_id, count(*) as files, sum(size::bigint) as bytes from conversation_attachments group by organization_id) sums
cross join lateral (values ('organization.files', sums.files), ('organization.bytes', sums.bytes)) total(counter, delta)
where total.delta <> 0;

-- Erasure -----------------------------------------------------------------------------------------------------------
-- A request with an Idempotency-Key has stored its answer for a repetition. It ends with the conversation: a repetition gets NOT_FOUND.
-- Within a text a quote is escaped, so only the fields of the answer match.

create or replace function erase_runs_of_conversations() returns trigger language plpgsql as $$
begin
  delete from idempotent_requests i using (select distinct organization_id, user_id from removed_rows) person
  where i.organization_id = person.organization_id and i.user_id = person.user_id and i.answer is not null and (
    exists (
      select from regexp_matches(i.answer, '"runId":"([^"]+)"', 'g') field(groups)
      join runs r on r.id = field.groups[1] join removed_rows d on d.id = r.conversation_id)
    or exists (
      select from regexp_matches(i.answer, '"conversation":\{"id":"([^"]+)"', 'g') field(groups) join removed_rows d on d.id = field.groups[1]));
  delete from run_contents c using runs r, removed_rows d where c.run_id = r.id and r.conversation_id = d.id;
  update runs r set conversation_id = null from removed_rows d where r.conversation_id = d.id;
  return null;
end $$;
