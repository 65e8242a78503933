import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Proof } from '../proof.ts';
import { fillDataDisks } from './disk-full/data-disks.ts';
import { whyNoSmallDisk } from './disk-full/small-disk.ts';

export const proof: Proof = {
  claim:
    'With a full disk nothing is acknowledged that was not stored, nothing breaks, and no restart is needed afterwards',
  long: true,
  async measure({ log }) {
    const skipped = whyNoSmallDisk(join(tmpdir(), `atrium-mount-${process.pid}`));
    if (skipped !== undefined) return [{ figure: 'full disks', skipped }];
    return fillDataDisks(log);
  },
};
