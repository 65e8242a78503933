-- CreateTable
CREATE TABLE "sponsorship_extensions" (
    "id" BIGSERIAL NOT NULL,
    "redemption_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "end_before" TIMESTAMPTZ(3) NOT NULL,
    "end_after" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sponsorship_extensions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "sponsorship_extensions_organization_id_at_id_idx" ON "sponsorship_extensions"("organization_id", "at", "id");

-- CreateIndex
CREATE INDEX "sponsorship_extensions_organization_id_end_before_idx" ON "sponsorship_extensions"("organization_id", "end_before");

-- CreateIndex
CREATE INDEX "sponsorship_extensions_redemption_id_idx" ON "sponsorship_extensions"("redemption_id");

-- AddForeignKey
ALTER TABLE "sponsorship_extensions" ADD CONSTRAINT "sponsorship_extensions_redemption_id_organization_id_fkey" FOREIGN KEY ("redemption_id", "organization_id") REFERENCES "redemptions"("id", "organization_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the models cannot express.

alter table sponsorship_extensions add constraint sponsorship_extensions_later check (end_after > end_before);

create trigger sponsorship_extensions_append_only before update or truncate on sponsorship_extensions
  for each statement execute function refuse_change();

create policy own_organization on sponsorship_extensions using (
  (select current_setting('atrium.organization', true)) = '*'
  or organization_id = (select current_setting('atrium.organization', true)));
alter table sponsorship_extensions enable row level security, force row level security;

-- A role that row-level security narrows sees every organization until the end of this transaction.
select set_config('atrium.organization', '*', true);

-- Earlier extensions are known from the audit log.
insert into sponsorship_extensions (redemption_id, organization_id, at, end_before, end_after)
select r.id, r.organization_id, e.at, e.end_before, e.end_after
from (
  select target_id, organization_id, at, position,
    (changes -> 'sponsoredUntil' ->> 'from')::timestamptz as end_before,
    (changes -> 'sponsoredUntil' ->> 'to')::timestamptz as end_after
  from audit_entries where action = 'extend-redemption') e
join redemptions r on r.id = e.target_id and r.organization_id = e.organization_id
where e.end_after > e.end_before
order by e.at, e.position;
