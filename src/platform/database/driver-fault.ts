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
 * Extracts the details of a database error, whichever layer threw it: Prisma, its driver adapter
 * (for example at COMMIT), pg, or the socket.
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
      // For a check violation PooledClient copies the constraint name to the field that the adapter
      // preserves.
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

function at(root: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined,
    root,
  );
}

function text(value: unknown, ...path: string[]): string | undefined {
  const inner = at(value, ...path);
  return typeof inner === 'string' ? inner : undefined;
}

function texts(value: unknown, ...path: string[]): string[] | undefined {
  const inner = at(value, ...path);
  return Array.isArray(inner) ? inner.filter((item) => typeof item === 'string') : undefined;
}
