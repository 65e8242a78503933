import type { FastifyReply, FastifyRequest } from 'fastify';
import { createAccess, type FindKey, type RequiredKey } from './access.ts';

declare module 'fastify' {
  interface FastifyRequest {
    organizationId: string;
    userId: string;
    isAdmin: boolean;
  }
}

/** The hook of Fastify that checks key, limit and feature of each request. */
export function guard(findKey: FindKey, required?: RequiredKey) {
  const admit = createAccess(findKey, required);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const key = await admit(request.headers.authorization, (name, value) =>
      reply.header(name, value),
    );
    request.organizationId = key.organizationId;
    request.userId = key.userId ?? '';
    request.isAdmin = key.isAdmin ?? false;
  };
}
