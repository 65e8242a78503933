import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The memory limit of this container and the memory in use. */
export type CgroupMemory = {
  source: 'cgroup v2' | 'cgroup v1';
  limitBytes: number;
  usedBytes: number;
};
export type CgroupCpu = {
  source: 'cgroup v2' | 'cgroup v1';
  cores: number;
  usedMicroseconds: number;
};

// cgroup v1 expresses "no limit" as the largest multiple of a page below 2^63.
const noLimit = 2 ** 60;

/**
 * Reads the limits of this process' control group; undefined where no limit is set. `root` is the
 * directory that contains /proc and /sys.
 */
export async function readCgroup(
  root = '/',
): Promise<{ memory: CgroupMemory | undefined; cpu: CgroupCpu | undefined }> {
  const groups = ((await contentOf(join(root, 'proc/self/cgroup'))) ?? '')
    .split('\n')
    .map((line) => line.split(':'));
  const groupOf = (controller: string) =>
    groups.find(([, names = '']) => names.split(',').includes(controller))?.[2] ?? '/';
  const unifiedGroup = groups.find(([number, names]) => number === '0' && names === '')?.[2] ?? '/';

  const unified = groupDirectories(join(root, 'sys/fs/cgroup'), unifiedGroup);
  const memoryLevels = groupDirectories(join(root, 'sys/fs/cgroup/memory'), groupOf('memory'));
  const cpuLevels = [
    ...groupDirectories(join(root, 'sys/fs/cgroup/cpu,cpuacct'), groupOf('cpu')),
    ...groupDirectories(join(root, 'sys/fs/cgroup/cpu'), groupOf('cpu')),
  ];
  return {
    memory:
      (await lowestLimit(unified, memoryV2, (memory) => memory.limitBytes)) ??
      (await lowestLimit(memoryLevels, memoryV1, (memory) => memory.limitBytes)),
    cpu:
      (await lowestLimit(unified, cpuV2, (cpu) => cpu.cores)) ??
      (await lowestLimit(cpuLevels, cpuV1, (cpu) => cpu.cores)),
  };
}

/**
 * The directories of the group and of all groups above it, because the limits of all of them apply.
 * A container without its own cgroup namespace sees the host's path, which does not exist inside the
 * container. Only the mount itself exists then, and it is the container's group.
 */
function groupDirectories(mount: string, group: string): string[] {
  const paths = [mount];
  for (let path = group; path !== '/' && path !== '.'; path = dirname(path))
    paths.unshift(join(mount, path));
  return paths;
}

async function lowestLimit<T>(
  directories: readonly string[],
  read: (directory: string) => Promise<T | undefined>,
  size: (value: T) => number,
): Promise<T | undefined> {
  const limits = (await Promise.all(directories.map(read))).filter(
    (value): value is Awaited<T> & T => value !== undefined,
  );
  return limits.toSorted((a, b) => size(a) - size(b))[0];
}

async function memoryV2(directory: string): Promise<CgroupMemory | undefined> {
  const limitBytes = await numberIn(directory, 'memory.max');
  const currentBytes = await numberIn(directory, 'memory.current');
  if (limitBytes === undefined || currentBytes === undefined) return undefined;
  return {
    source: 'cgroup v2',
    limitBytes,
    usedBytes: usedBytesOf(currentBytes, await entryIn(directory, 'memory.stat', 'inactive_file')),
  };
}

async function memoryV1(directory: string): Promise<CgroupMemory | undefined> {
  const limitBytes = await numberIn(directory, 'memory.limit_in_bytes');
  const currentBytes = await numberIn(directory, 'memory.usage_in_bytes');
  if (limitBytes === undefined || limitBytes > noLimit || currentBytes === undefined)
    return undefined;
  return {
    source: 'cgroup v1',
    limitBytes,
    usedBytes: usedBytesOf(
      currentBytes,
      await entryIn(directory, 'memory.stat', 'total_inactive_file'),
    ),
  };
}

// The kernel drops inactive pages of files before memory runs out, so they count as free.
const usedBytesOf = (currentBytes: number, inactiveFile = 0) =>
  Math.max(0, currentBytes - inactiveFile);

async function cpuV2(directory: string): Promise<CgroupCpu | undefined> {
  const [quota, period] = ((await contentOf(join(directory, 'cpu.max'))) ?? '')
    .trim()
    .split(/\s+/)
    .map(parseWholeNumber);
  const usedMicroseconds = await entryIn(directory, 'cpu.stat', 'usage_usec');
  if (!quota || !period || usedMicroseconds === undefined) return undefined;
  return { source: 'cgroup v2', cores: quota / period, usedMicroseconds };
}

async function cpuV1(directory: string): Promise<CgroupCpu | undefined> {
  const quota = await numberIn(directory, 'cpu.cfs_quota_us');
  const period = await numberIn(directory, 'cpu.cfs_period_us');
  const usedNanoseconds =
    (await numberIn(directory, 'cpuacct.usage')) ??
    (await numberIn(
      directory.replace(/\/cgroup\/cpu(?=\/|$)/, '/cgroup/cpuacct'),
      'cpuacct.usage',
    ));
  if (!quota || !period || usedNanoseconds === undefined) return undefined;
  return { source: 'cgroup v1', cores: quota / period, usedMicroseconds: usedNanoseconds / 1000 };
}

const numberIn = async (directory: string, name: string) =>
  parseWholeNumber(((await contentOf(join(directory, name))) ?? '').trim());

async function entryIn(directory: string, name: string, key: string): Promise<number | undefined> {
  const line = ((await contentOf(join(directory, name))) ?? '')
    .split('\n')
    .find((candidate) => candidate.startsWith(`${key} `));
  return line === undefined ? undefined : parseWholeNumber(line.slice(key.length + 1).trim());
}

// "max" and -1 mean no limit and give undefined.
const parseWholeNumber = (text: string): number | undefined =>
  /^\d+$/.test(text) ? Number(text) : undefined;

// Undefined where the kernel or the container does not provide the file.
const contentOf = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch(() => undefined);
