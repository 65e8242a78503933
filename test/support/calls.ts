import { areas } from '../../src/rest/routes.ts';

/** Every documented call, with a path whose parameters name nothing. */
export const everyCall = areas.flatMap((area) =>
  area.rows.map(({ method, path, operation }) => ({
    title: `${method} ${area.prefix}${path}`,
    method,
    operation,
    key: area.key,
    path: (area.prefix + path).replaceAll(/:\w+/g, 'unknown'),
    template: area.prefix + path,
    takesBody: method !== 'GET' && method !== 'DELETE',
  })),
);
