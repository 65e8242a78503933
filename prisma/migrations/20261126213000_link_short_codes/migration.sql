-- Ten letters and digits that do not look alike. All bytes of a UUID are random except for the 7th and the 9th. Eight
-- of the 31 characters occur in 9 of 256 cases and the others in 8, which makes guessing easier by less than a bit.
create function new_link_code() returns text language sql volatile as $$
  select string_agg(substr('23456789abcdefghjkmnpqrstuvwxyz', 1 + get_byte(bytes, position) % 31, 1), '')
  from (select uuid_send(gen_random_uuid()) as bytes) random,
    unnest(array[0, 1, 2, 3, 4, 5, 10, 11, 12, 13]) position
$$;

-- AlterTable
ALTER TABLE "links" ADD COLUMN     "short_code" TEXT NOT NULL DEFAULT new_link_code();

-- CreateIndex
CREATE UNIQUE INDEX "links_short_code_key" ON "links"("short_code");

-- What the models cannot express.

alter table links add constraint links_short_code_form check (short_code ~ '^[2-9a-hjkmnp-z]{10}$');
