-- Row-level security hides the rows of all organizations from the owner of the tables, unless the
-- scope is set: without it, nothing was renumbered and nothing said so.
create or replace function after_restore() returns void language plpgsql as $$
begin
  perform set_config('atrium.organization', '*', true);
  update audit_entries set tx_id = current_tx_id() where tx_id is not null;
  update webhook_endpoints set next_transaction = 0;
  update audit_trees set read_transaction = 0, read_position = 0;
  perform new_event_epoch();
end $$;
