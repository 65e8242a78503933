import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

export type NodeProgram = { file: string; major: number };

/**
 * The Node of the scripts, which runs this test, and those that are installed on the machine.
 * `TEST_NODES` names further programs, separated by colons. The first of each major version counts.
 */
export const nodes: NodeProgram[] = [
  process.execPath,
  ...(process.env['TEST_NODES'] ?? '').split(':'),
  ...(process.env['PATH'] ?? '').split(':').map((folder) => join(folder, 'node')),
]
  .filter((file) => file !== '' && existsSync(file))
  .map((file) => realpathSync(file))
  .filter((file, index, files) => files.indexOf(file) === index)
  .map((file) => {
    const version = execFileSync(file, ['--version'], { encoding: 'utf8' });
    return { file, major: Number(/^v(\d+)/.exec(version)?.[1]) };
  })
  .filter(({ major }, index, found) => found.findIndex((node) => node.major === major) === index);
