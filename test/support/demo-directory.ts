import { cp } from 'node:fs/promises';
import { start, temporaryDirectory } from './process.ts';

/** What the first start prints about the demo workspace. */
export type Demo = { userKey: string; organizationKey: string; runPath: string };

/**
 * Starts the program once with an empty data directory. Each copy of the directory then starts
 * with the demo workspace in a fraction of the time.
 */
export async function demoWorkspace() {
  const template = temporaryDirectory();
  const server = await start({ DATA_DIR: template.path });
  const output = server.output();
  server.process.kill('SIGTERM');
  await server.ended;
  const demo: Demo = {
    organizationKey: /sk_svc_um_\w+/.exec(output)?.[0] ?? '',
    userKey: /sk_svc_(?!um_)\w+/.exec(output)?.[0] ?? '',
    runPath: /(\/api\/assistants\/v1\/[^/\s'"]+\/run)/.exec(output)?.[0] ?? '',
  };
  return {
    ...demo,
    copyTo: (directory: string) => cp(template.path, directory, { recursive: true }),
    remove: template.remove,
  };
}
