-- users.email_verified says whether somebody has proven that they read the mailbox. Until then the account is unclaimed: whoever made
-- it, or signs in to it, may be a stranger who typed somebody else's address.

-- Ends everything that opens an unclaimed account: ways to sign in, second factors, sessions, the keys of the person. Returns whether the account is
-- unclaimed; a claimed one stays as it is.
create function reset_unclaimed(person text, at timestamptz) returns boolean language plpgsql as $$
declare
  scope text := coalesce(current_setting('atrium.organization', true), '');
  unclaimed boolean;
begin
  perform set_config('atrium.organization', '*', true);
  -- A new session references this row, so a sign-in of the same moment waits, and afterwards finds that its password is gone.
  select not email_verified into unclaimed from users where id = person for update;
  if unclaimed then
    delete from accounts where user_id = person;
    delete from authenticator_apps where user_id = person;
    delete from passkeys where user_id = person;
    delete from recovery_codes where user_id = person;
    update users set second_factor_enabled = false where id = person and second_factor_enabled;
    delete from sessions where user_id = person;
    -- What the earlier holder accepted, the owner of the mailbox has not.
    update memberships set accepted_at = null where user_id = person and accepted_at is not null;
    update api_keys set revoked_at = at where user_id = person and kind = 'USER' and revoked_at is null;
  end if;
  perform set_config('atrium.organization', scope, true);
  return coalesce(unclaimed, false);
end $$;

-- The operator vouches for the accounts that the set-up link made and for platform support.
update users set email_verified = true
where is_platform_support or id in (select actor_user_id from audit_entries where action = 'complete-setup');
