-- AlterTable
ALTER TABLE "assistant_files" ADD COLUMN     "replaces_name" TEXT;

-- Replacements that are not completed: the audit knows under which name the replaced file was stored.
UPDATE "assistant_files" f SET "replaces_name" = a."changes"->>'originalName'
FROM "audit_entries" a
WHERE a."organization_id" = f."organization_id" AND a."target_id" = f."replaces_id" AND a."action" IN ('upload-file', 'replace-file');
