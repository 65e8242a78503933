import { nodeSelection } from '../../support/schema-operations.ts';
import { graphRequest, nodeTables, type RequestSlot } from './request-slots.ts';

const query = `query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Node ${nodeSelection()} } }`;

/** References to objects, as a gateway of Apollo Federation sends them. */
export const entitySlots = (): RequestSlot[] =>
  Object.entries(nodeTables).map(([kind, __typename]) => ({
    where: `query _entities(${__typename})`,
    kinds: [kind],
    isComparable: true,
    request: (valueFor) =>
      graphRequest({ kind: 'query' }, query, {
        representations: [{ __typename, id: valueFor(kind) }],
      }),
  }));
