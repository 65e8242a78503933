import type { OpenApiOperation } from './document.ts';
import { headersOfStatus } from './headers.ts';

/** HEAD of a path: the status and the headers of GET, without a body. */
export function headCallOf({
  operationId,
  tags,
  security,
  parameters,
  responses,
}: OpenApiOperation): OpenApiOperation {
  const bodiless = Object.entries(responses).flatMap(([status, response]) =>
    status < '400' && 'headers' in response
      ? [[status, { description: response.description, headers: response.headers }]]
      : [],
  );
  return {
    operationId: `${operationId}Head`,
    summary: `Returns the status and the headers of ${operationId}, without the body`,
    tags,
    security,
    parameters,
    responses: {
      ...Object.fromEntries(bodiless),
      default: {
        description: 'An error, with the status that GET has',
        headers: headersOfStatus(431),
      },
    },
  };
}
