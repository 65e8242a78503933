-- A session's token is stored as its SHA-256 from here on (src/modules/accounts/stored-sessions.ts): whoever reads the table, or a backup
-- of it, can open no session. Nobody has to sign in again. No session lives longer than thirty days after its sign-in.
update sessions set
  token = encode(sha256(convert_to(token, 'UTF8')), 'base64'),
  expires_at = least(expires_at, created_at + interval '30 days');
