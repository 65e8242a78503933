-- Names are found with or without accents. The marks are removed from the decomposed text, and the rest is composed
-- again, so that a syllable of Korean or a voiced sign of Japanese is not a part of another. A text of ASCII, which most
-- are, has as many bytes as characters, and is only lowered. Case comes last: the letters are base letters then, which
-- also the locale C lowers.

create function fold_text(value text) returns text immutable parallel safe language sql as $$
  select case when octet_length(value) = length(value) then lower(value)
    else replace(replace(lower(normalize(regexp_replace(normalize(value, NFD),
      '[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670'
      '\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]', '', 'g'), NFC)), 'ß', 'ss'), 'ẞ', 'ss') end;
$$;

-- The pattern for a text that a name contains. Nothing in the text is a wildcard. A text of marks alone stays as it is.
create function fold_pattern(value text) returns text immutable parallel safe language sql as $$
  select '%' || replace(replace(replace(
    coalesce(nullif(fold_text(value), ''), value), '\', '\\'), '%', '\%'), '_', '\_') || '%';
$$;

drop index users_search;
drop index memberships_given_names;
drop index organizations_name_search;

-- The line breaks keep a match inside one of the three; no name and no address can hold one. The function calls no other
-- one, because a restored backup builds the indexes without a search path.
create or replace function user_search_text(email text, first_name text, last_name text)
returns text immutable parallel safe language sql as $$
  select email || e'\n' || first_name || e'\n' || last_name;
$$;

create index users_search on users using gin (fold_text(user_search_text(email, first_name, last_name)) gin_trgm_ops);
create index memberships_given_names on memberships
  using gin (fold_text(user_search_text('', given_first_name, given_last_name)) gin_trgm_ops)
  where given_first_name <> '' or given_last_name <> '';
create index organizations_name_search on organizations using gin (fold_text(name) gin_trgm_ops);
