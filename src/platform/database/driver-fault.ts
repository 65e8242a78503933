export type DriverFault = {
  /** SQLSTATE. */
  state?: string | undefined;
  prismaCode?: string | undefined;
  systemCode?: string | undefined;
  kind?: string | undefined;
  constraint?: string | undefined;
  fields?: string[] | undefined;
  message: string;
};

/**
 * What a fault says of itself, whichever layer threw it: Prisma, its adapter (as at COMMIT), pg or
 * the socket.
 */
export function driverFault(error: unknown): DriverFault {
  const code = text(error, 'code');
  const message = text(error, 'message') ?? '';
  const adapted =
    at(error, 'meta', 'driverAdapterError', 'cause') ??
    (text(error, 'name') === 'DriverAdapterError' ? at(error, 'cause') : undefined);
  const prismaCode = code !== undefined && /^P\d{4}$/.test(code) ? code : undefined;
  if (adapted !== undefined) {
    return {
      prismaCode,
      message,
      state: text(adapted, 'originalCode') ?? text(adapted, 'code'),
      kind: text(adapted, 'kind'),
      // For a broken check the connection leaves the name where the adapter keeps it.
      constraint: text(adapted, 'constraint', 'index') ?? text(adapted, 'column'),
      fields: texts(adapted, 'constraint', 'fields'),
    };
  }
  if (prismaCode !== undefined) return { prismaCode, message };
  const fromServer = at(error, 'severity') !== undefined;
  return {
    message,
    constraint: text(error, 'constraint'),
    ...(fromServer ? { state: code } : { systemCode: code }),
  };
}

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined,
    value,
  );
}

function text(value: unknown, ...path: string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

function texts(value: unknown, ...path: string[]): string[] | undefined {
  const found = at(value, ...path);
  return Array.isArray(found) ? found.filter((item) => typeof item === 'string') : undefined;
}
