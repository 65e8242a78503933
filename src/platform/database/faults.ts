import { queryLimitMessage } from './driver/query-limit.ts';
import { driverFault } from './driver-fault.ts';

export type ConstraintViolation = { constraint?: string; fields?: string[] };

export function uniqueViolation(error: unknown): ConstraintViolation | undefined {
  return violation(error, '23505', 'P2002');
}

export function foreignKeyViolation(error: unknown): ConstraintViolation | undefined {
  return violation(error, '23503', 'P2003');
}

/** A CHECK violation, or a trigger that reports one with a constraint name. */
export function checkViolation(error: unknown): ConstraintViolation | undefined {
  return violation(error, '23514', 'P2004');
}

/** Whether the same transaction may succeed when it is run again. */
export function isRetryable(error: unknown): boolean {
  const { state, prismaCode } = driverFault(error);
  return state === '40001' || state === '40P01' || prismaCode === 'P2034';
}

// Connection exceptions, a server that starts or stops, and a server without free connections, disk
// or memory.
const unavailableStates = /^(08|57P|53)/;
const unavailablePrismaCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2037']);
const unavailableSystemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const unavailableKinds = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]);
// Messages of pg and Prisma for errors without a code.
const unavailableMessages = [
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
  'timeout exceeded when trying to connect',
  'timeout expired',
  queryLimitMessage,
  'Unable to start a transaction in the given time',
  'cannot be executed on an expired transaction',
];

/**
 * Whether the database could not be reached or was out of resources. This is not the caller's fault
 * and is temporary.
 */
export function isUnavailable(error: unknown): boolean {
  const { state, prismaCode, systemCode, kind, message } = driverFault(error);
  return (
    (state !== undefined && unavailableStates.test(state)) ||
    (prismaCode !== undefined && unavailablePrismaCodes.has(prismaCode)) ||
    (systemCode !== undefined && unavailableSystemCodes.has(systemCode)) ||
    (kind !== undefined && unavailableKinds.has(kind)) ||
    unavailableMessages.some((part) => message.includes(part))
  );
}

function violation(
  error: unknown,
  state: string,
  prismaCode: string,
): ConstraintViolation | undefined {
  const fault = driverFault(error);
  if (fault.state !== state && fault.prismaCode !== prismaCode) return undefined;
  return {
    ...(fault.constraint && { constraint: fault.constraint }),
    ...(fault.fields && { fields: fault.fields }),
  };
}
