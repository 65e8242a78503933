import type { ClientInfo } from '../../graph/context.ts';
import { networkOf } from '../../platform/network-of.ts';
import { deviceOf } from '../accounts/device.ts';

/** Where a request came from, as the audit log shows it. */
export type Client = { network: string | null; device: string | null };

export const clientOf = ({
  address,
  userAgent,
}: Pick<ClientInfo, 'address' | 'userAgent'>): Client => ({
  network: address === undefined ? null : networkOf(address),
  device: userAgent === null ? null : deviceOf(userAgent),
});
