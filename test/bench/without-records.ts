import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

// Loaded into a server with --import: its runs keep no record, no receipt and no usage, and only
// their slot of the quota is freed. So the cost of keeping is measured with the same code beside it.

const record = '/src/modules/runs/run-recorder.ts';
const original = 'export function createRecorder(';
const withoutRecord = `
export function createRecorder(run: RunRecord, { commitShared }: RecorderDependencies): RunRecorder {
  const nothing = async () => {};
  return {
    ...{ runId: run.id, beforeStep: nothing, stepEnded: nothing },
    end: (_, addWrites = () => {}) => commitShared(run.organizationId, addWrites),
  };
}
export function createKeptRecorder(`;

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith(record)) return nextLoad(url, context);
    const source = readFileSync(fileURLToPath(url), 'utf8');
    if (!source.includes(original)) throw new Error(`${record} has no createRecorder`);
    return {
      format: 'module-typescript',
      source: source.replace(original, withoutRecord),
      shortCircuit: true,
    };
  },
});
