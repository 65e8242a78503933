-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "limit_per_minute_max" INTEGER;

-- A role that row-level security narrows sees every organization until the end of this transaction.
select set_config('atrium.organization', '*', true);

-- A limit that a key has already was set by the operator: administrators may go back up to it.
update api_keys set limit_per_minute_max = limit_per_minute where limit_per_minute is not null;
