-- Whoever extends a sponsorship pays for a workspace that is another organization. The wall is opened for this one column of this
-- one row alone, so that the statement that extends can stay behind it. (A setting of the function itself takes a superuser.)
create function pay_workspace_until(workspace_id text, new_end timestamptz, at timestamptz) returns boolean language plpgsql as $$
declare
  scope text := coalesce(current_setting('atrium.organization', true), '');
begin
  perform set_config('atrium.organization', '*', true);
  update organizations set sponsored_until = new_end, updated_at = at where id = workspace_id;
  perform set_config('atrium.organization', scope, true);
  return found;
end $$;
