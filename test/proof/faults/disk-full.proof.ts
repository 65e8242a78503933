import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Proof } from '../proof.ts';
import { fillDataDisks } from './full/data-disks.ts';
import { whyNoSmallDisk } from './full/small-disk.ts';

export const proof: Proof = {
  claim:
    'A full disk acknowledges nothing, breaks nothing, and needs no restart once there is room',
  long: true,
  async attempt({ say }) {
    const leftOut = whyNoSmallDisk(join(tmpdir(), `atrium-mount-${process.pid}`));
    if (leftOut !== undefined) return [{ figure: 'full disks', leftOut }];
    return fillDataDisks(say);
  },
};
