import { compareGraphql } from '/work/main/test/bench/graphql.ts';
import { compareLists } from '/work/main/test/bench/lists.ts';
import { openBenchServer } from '/work/main/test/bench/postgres.ts';

const pg = await openBenchServer('postgres://postgres@127.0.0.1:5432/postgres');
const effort = { rounds: 3, seconds: 3, warmSeconds: 4 };
const f = process.argv[2] === 'graphql' ? await compareGraphql(pg!, effort, 1) : await compareLists(pg!, effort, 1);
for (const { read, servers, ratios } of f)
  console.log(read, ratios[0]!.requests.toFixed(2), servers.map((s) => `${s.name} ${Math.round(s.perSecond)}/s cpu ${Math.round(s.cpuMicros)}`).join(' | '));
await pg!.close();
