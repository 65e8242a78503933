import { type BreakingChange, findBreakingChanges, type GraphQLSchema } from 'graphql';
import type { CoordinateUsage } from '../src/graph/usage/stored-usage.ts';

/** A change that breaks clients, and what they use of it: coordinates with their uses. */
export type ReleaseChange = { description: string; used: [string, number][]; isRefused: boolean };

/**
 * The breaking changes since the last release. A change is refused if clients have used what it
 * removes or changes, or if its description does not say what that is.
 */
export const compareRelease = (
  released: GraphQLSchema,
  current: GraphQLSchema,
  usage: CoordinateUsage,
): ReleaseChange[] =>
  findBreakingChanges(released, current).map(({ type, description }) => {
    const coordinate = coordinateOf({ type, description });
    const used =
      coordinate === undefined
        ? []
        : [...usage].filter(
            ([name]) =>
              name === coordinate || (coordinate.endsWith('.') && name.startsWith(coordinate)),
          );
    return { description, used, isRefused: used.length > 0 || coordinate === undefined };
  });

/** How GraphQL.js describes each kind of change, and the coordinate that the change affects. */
const forms: readonly [RegExp, (...names: string[]) => string][] = [
  [/^(\w+) was removed from enum type (\w+)\.$/, (value, type) => `${type}.${value}`],
  [/^A required arg \w+ on (\w+)\.(\w+) was added\.$/, (type, field) => `${type}.${field}`],
  [/^A required field \w+ on input type (\w+) was added\.$/, (type) => `${type}.`],
  [/^(\w+)\.(\w+) arg (\w+) /, (type, field, argument) => `${type}.${field}(${argument}:)`],
  [/^(\w+)\.(\w+) (?:was removed|changed type)/, (type, field) => `${type}.${field}`],
  [/^\w+ was removed from union type (\w+)\.$/, (type) => `${type}.`],
  [/^(\w+) (?:no longer implements interface|was removed|changed from) ?/, (type) => `${type}.`],
];

/** The affected coordinate, or `Type.` for everything of a type. Undefined for directives. */
export function coordinateOf({ type, description }: BreakingChange): string | undefined {
  if (type.includes('DIRECTIVE')) return undefined;
  for (const [form, toCoordinate] of forms) {
    const [found, ...names] = form.exec(description) ?? [];
    if (found !== undefined) return toCoordinate(...names);
  }
  return undefined;
}
