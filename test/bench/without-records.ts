import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

// Loaded into a server with --import: its runs keep no record, no receipt and no usage, and only
// their slot of the quota is freed. So the cost of keeping is measured with the same code beside it.

/** The server is a bundle, and the recorder of runs is in one of its files. */
const bundled = '/src/generated/server/';
const original = 'function createRecorder(run, {';
const withoutRecord = `function createRecorder(run, { commitShared }) {
  const nothing = async () => {};
  return {
    ...{ runId: run.id, beforeStep: nothing, stepEnded: nothing },
    end: (_, addWrites = () => {}) => commitShared(run.organizationId, addWrites),
  };
}
function createKeptRecorder(run, {`;

registerHooks({
  load(url, context, nextLoad) {
    if (!url.includes(bundled) || !url.endsWith('.mjs')) return nextLoad(url, context);
    const source = readFileSync(fileURLToPath(url), 'utf8');
    if (!source.includes(original)) return nextLoad(url, context);
    return {
      format: 'module',
      source: source.replace(original, withoutRecord),
      shortCircuit: true,
    };
  },
});
