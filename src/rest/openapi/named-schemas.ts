import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from './document.ts';

/**
 * Moves every schema with a title into `schemas` and leaves a reference in its place. The title is
 * the name of the schema. A description belongs to the field, so it stays beside the reference.
 */
export function moveNamedSchemas<Node>(node: Node, schemas: Record<string, JsonSchema>): Node {
  return replaceSchemas(node, schemas) as Node;
}

// Values of these fields are data, not schemas.
const dataFields = ['example', 'examples', 'default', 'const'];

function replaceSchemas(node: unknown, schemas: Record<string, JsonSchema>): unknown {
  if (Array.isArray(node)) return node.map((item) => replaceSchemas(item, schemas));
  if (typeof node !== 'object' || node === null) return node;
  const replaced = Object.fromEntries(
    Object.entries(node).map(([name, value]) => [
      name,
      dataFields.includes(name) ? value : replaceSchemas(value, schemas),
    ]),
  );
  const { title, description, ...schema } = replaced;
  if (typeof title !== 'string') return replaced;
  if (schemas[title] && !isDeepStrictEqual(schemas[title], schema))
    throw new Error(`Two different schemas are named ${title}`);
  schemas[title] = schema;
  return {
    $ref: `#/components/schemas/${title}`,
    ...(description === undefined ? {} : { description }),
  };
}
