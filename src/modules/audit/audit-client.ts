import type { ClientInfo } from '../../access/context.ts';
import { networkOf } from '../../platform/network-of.ts';
import { nameDevice } from '../accounts/sign-in/device-name.ts';

/** The network and the device that sent a request, as the audit log shows them. */
export type AuditClient = { network: string | null; device: string | null };

export const auditClientOf = ({
  address,
  userAgent,
}: Pick<ClientInfo, 'address' | 'userAgent'>): AuditClient => ({
  network: address === undefined ? null : networkOf(address),
  device: userAgent === null ? null : nameDevice(userAgent),
});
