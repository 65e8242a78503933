import { readFileSync } from 'node:fs';
import { areas } from '../../src/rest/routes.ts';

/** Every documented call, with a path whose parameters refer to nothing. */
export const everyCall = areas.flatMap((area) =>
  area.routes.map(({ method, path, operation }) => ({
    title: `${method} ${area.prefix}${path}`,
    method,
    operation,
    key: area.key,
    needsFeature: !['Assistants', 'Conversations', 'Runs', 'Usage'].includes(area.name),
    path: (area.prefix + path).replaceAll(/:\w+/g, 'unknown'),
    template: area.prefix + path,
    /** Whether the body is a form with a file. */
    takesFile: /: Upload!/.test(
      readFileSync(
        new URL(`../../schema/operations/${operation}.graphql`, import.meta.url),
        'utf8',
      ),
    ),
    takesBody: method !== 'GET' && method !== 'DELETE',
  })),
);
