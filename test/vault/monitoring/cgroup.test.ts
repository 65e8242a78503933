import { mkdirSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readCgroup } from '../../../src/vault/monitoring/cgroup.ts';
import { createSystemProbe } from '../../../src/vault/monitoring/system.ts';
import { temporaryDirectory } from '../../support/process.ts';

const directories: { remove: () => void }[] = [];
afterEach(() => {
  for (const directory of directories.splice(0)) directory.remove();
});

/** A root directory with these files, as the kernel would provide them. */
function rootWith(files: Record<string, string>): string {
  const directory = temporaryDirectory();
  directories.push(directory);
  for (const [name, content] of Object.entries(files)) {
    const file = join(directory.path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${content}\n`);
  }
  return directory.path;
}

const v2 = {
  'proc/self/cgroup': '0::/',
  'sys/fs/cgroup/cpu.max': '50000 100000',
  'sys/fs/cgroup/cpu.stat': 'usage_usec 123456\nuser_usec 100000',
  'sys/fs/cgroup/memory.max': '536870912',
  'sys/fs/cgroup/memory.current': '402653184',
  'sys/fs/cgroup/memory.stat': 'anon 1\ninactive_file 134217728\nfile 2',
};
const v1 = {
  'proc/self/cgroup': '11:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc',
  'sys/fs/cgroup/memory/memory.limit_in_bytes': '536870912',
  'sys/fs/cgroup/memory/memory.usage_in_bytes': '402653184',
  'sys/fs/cgroup/memory/memory.stat': 'cache 1\ntotal_inactive_file 134217728',
  'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '50000',
  'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000',
  'sys/fs/cgroup/cpu,cpuacct/cpuacct.usage': '123456000',
};

describe('readCgroup', () => {
  it.each([
    ['cgroup v2', v2],
    ['cgroup v1', v1],
  ])(
    'The limits of a container are read with %s, and inactive file pages do not count as used memory',
    async (source, files) => {
      expect(await readCgroup(rootWith(files))).toEqual({
        memory: { source, limitBytes: 536870912, usedBytes: 268435456 },
        cpu: { source, cores: 0.5, usedMicroseconds: 123456 },
      });
    },
  );

  it.each([
    [
      'version 2',
      { ...v2, 'sys/fs/cgroup/cpu.max': 'max 100000', 'sys/fs/cgroup/memory.max': 'max' },
    ],
    [
      'version 1',
      {
        ...v1,
        'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '-1',
        'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712',
      },
    ],
    ['no control groups', {}],
    [
      'nonsense',
      {
        ...v2,
        'sys/fs/cgroup/cpu.max': 'x y',
        'sys/fs/cgroup/memory.max': '',
        'proc/self/cgroup': ':::',
      },
    ],
  ])('No limits are reported if none are set: %s', async (_, files) => {
    expect(await readCgroup(rootWith(files))).toEqual({ memory: undefined, cpu: undefined });
  });

  it('The lowest limit of all groups above applies', async () => {
    const root = rootWith({
      'proc/self/cgroup': '0::/outer.slice/inner.service',
      'sys/fs/cgroup/outer.slice/memory.max': '1000000',
      'sys/fs/cgroup/outer.slice/memory.current': '900000',
      'sys/fs/cgroup/outer.slice/inner.service/memory.max': '2000000',
      'sys/fs/cgroup/outer.slice/inner.service/memory.current': '800000',
    });
    expect((await readCgroup(root)).memory).toEqual({
      source: 'cgroup v2',
      limitBytes: 1000000,
      usedBytes: 900000,
    });
  });
});

describe('createSystemProbe', () => {
  it.each([
    ['cgroup v2', v2],
    ['cgroup v1', v1],
  ])('Inside a container the limits of the container are measured: %s', async (source, files) => {
    const root = rootWith(files);
    const probe = createSystemProbe(root);
    const first = await probe.sample();
    expect(first.memory).toEqual({
      totalBytes: 536870912,
      usedBytes: 268435456,
      freeBytes: 268435456,
      usagePercent: 50,
      source,
    });
    expect(first.cpu).toMatchObject({ cores: 0.5, usagePercent: 0, source });
    // An hour of processor time in less than an hour exceeds the quota; the usage is reported as
    // 100 %.
    const usage =
      source === 'cgroup v2'
        ? { file: 'cpu.stat', text: 'usage_usec 3600000000' }
        : { file: '../cgroup/cpu,cpuacct/cpuacct.usage', text: '3600000000000' };
    writeFileSync(join(root, 'sys/fs/cgroup', usage.file), `${usage.text}\n`);
    expect((await probe.sample()).cpu.usagePercent).toBe(100);
    probe.close();
  });

  it('The machine is measured if no limit is set or the limit exceeds the machine', async () => {
    for (const files of [
      {},
      {
        ...v2,
        'sys/fs/cgroup/memory.max': String(totalmem() * 2),
        'sys/fs/cgroup/cpu.max': '100000000 100000',
      },
    ]) {
      const probe = createSystemProbe(rootWith(files));
      const { cpu, memory, process: processMemory } = await probe.sample();
      expect(memory).toMatchObject({ source: 'host', totalBytes: totalmem() });
      expect(cpu.source).toBe('host');
      expect(cpu.cores).toBeGreaterThanOrEqual(1);
      expect(processMemory.rssBytes).toBeGreaterThan(processMemory.heapUsedBytes);
      probe.close();
    }
  });
});
