-- Takes as many of the leases as the limit allows, the first ones first. Processes of the version
-- before use take_quota_lease.
create function take_quota_leases(leases text[], organization text, lease_kind quota_lease_kind, lease_limit int, seconds int, out taken int, out at_most int)
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('quota of ' || lease_kind || ' ' || organization, 0));
  select coalesce(case lease_kind when 'RUNS' then o.concurrent_runs_max else o.concurrent_uploads_max end, lease_limit) into at_most
  from organizations o where o.id = organization;
  delete from quota_leases l where l.organization_id = organization and l.kind = lease_kind and l.expires_at < clock_timestamp();
  insert into quota_leases (id, organization_id, kind, expires_at)
  select wanted.id, organization, lease_kind, clock_timestamp() + make_interval(secs => seconds)
  from unnest(leases) with ordinality wanted (id, number)
  order by wanted.number
  limit greatest(0, at_most - (select count(*) from quota_leases l where l.organization_id = organization and l.kind = lease_kind));
  get diagnostics taken = row_count;
end $$;
