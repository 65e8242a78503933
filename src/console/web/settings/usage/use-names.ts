import { useGraphQuery } from '../../graph/use-graph.ts';
import { displayName } from '../../ui/labels.ts';
import { UsageNamesDocument } from './documents.ts';

const idsMax = 100;

/**
 * The names of people, teams, assistants and keys. What is deleted, or not visible to the viewer, is
 * named by its kind and its id.
 */
export function useNames(ids: readonly (string | null)[]): (id: string, kind: string) => string {
  const distinct = [...new Set(ids.filter((id) => id !== null))].slice(0, idsMax);
  const { data } = useGraphQuery(
    UsageNamesDocument,
    { ids: distinct },
    { pause: distinct.length === 0 },
  );
  const names = new Map<string, string>();
  for (const node of data?.nodes ?? []) {
    if (node?.__typename === 'User') names.set(node.id, displayName(node));
    if (node?.__typename === 'Assistant' || node?.__typename === 'Team')
      names.set(node.id, node.name);
    if (node?.__typename === 'ApiKey') names.set(node.id, `${node.name} (…${node.lastFour})`);
  }
  return (id, kind) => names.get(id) ?? `${kind} …${id.slice(-8)}`;
}
