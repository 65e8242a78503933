import { readFileSync } from 'node:fs';
import { areas } from '../../src/rest/routes.ts';

/** Every documented call, with a path whose parameters name nothing. */
export const everyCall = areas.flatMap((area) =>
  area.routes.map(({ method, path, operation }) => ({
    title: `${method} ${area.prefix}${path}`,
    method,
    operation,
    key: area.key,
    /**
     * Whether an organization must have a feature for it. Assistants themselves are for everybody.
     */
    needsFeature: area.name !== 'Assistants',
    path: (area.prefix + path).replaceAll(/:\w+/g, 'unknown'),
    template: area.prefix + path,
    /** Whether its body is a form with a file. */
    takesFile: /: Upload!/.test(
      readFileSync(
        new URL(`../../schema/operations/${operation}.graphql`, import.meta.url),
        'utf8',
      ),
    ),
    takesBody: method !== 'GET' && method !== 'DELETE',
  })),
);
