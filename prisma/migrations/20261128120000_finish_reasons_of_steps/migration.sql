-- AlterTable
ALTER TABLE "run_step_contents" ADD COLUMN     "finish_reason" TEXT NOT NULL DEFAULT 'stop';

-- Older steps were recorded without their reason.
update run_step_contents set finish_reason = 'tool-calls' where requests_tools;
