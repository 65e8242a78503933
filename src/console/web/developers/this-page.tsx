import { useState } from 'react';
import { Badge } from '../ui/badge.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { CodeBlock } from './code-block.tsx';
import { curlOf, graphqlOf, nameOf, restCurlOf } from './program-text.ts';
import { restCallsFor } from './rest-calls.ts';
import { type ShownOperation, shownOperations } from './watch-operations.ts';

/** What the page that is shown has asked, to be asked again by a program. */
export function ThisPage({ open, onClose }: { open: boolean; onClose: () => void }) {
  // What is refreshed behind the dialog must not move what is being read.
  const [operations] = useState(() =>
    [...shownOperations()].sort((one, other) => Number(isFrames(one)) - Number(isFrames(other))),
  );
  return (
    <Dialog title="This page for programs" open={open} onClose={onClose} wide>
      <p>
        Everything on this page comes from the graph. Put a key into <code>ATRIUM_KEY</code>, and
        the same can be asked from anywhere. What only people who are signed in may see is refused
        to a key, in words.
      </p>
      {operations.length === 0 && <EmptyState title="This page has asked nothing" />}
      {operations.map((operation, index) => (
        <Shown key={operation.number} operation={operation} isOpen={index === 0} />
      ))}
    </Dialog>
  );
}

function Shown({
  operation: { kind, document, variables },
  isOpen,
}: {
  operation: ShownOperation;
  isOpen: boolean;
}) {
  const { origin } = location;
  const query = graphqlOf(document);
  const hasVariables = Object.keys(variables).length > 0;
  return (
    <details className="developers-operation" open={isOpen}>
      <summary>
        <strong>{nameOf(document)}</strong>{' '}
        <Badge tone={kind === 'mutation' ? 'busy' : 'plain'}>{kind}</Badge>
      </summary>
      <CodeBlock label="GraphQL" text={query} />
      {hasVariables && (
        <CodeBlock label="Variables" text={JSON.stringify(variables, undefined, 2)} />
      )}
      <CodeBlock label="curl" text={curlOf({ origin, query, variables })} />
      {kind === 'query' &&
        restCallsFor(document, variables).map(({ path, key }) => (
          <CodeBlock
            key={path}
            label={`REST, with ${key === 'user' ? 'a user key' : 'an organization key'}`}
            text={restCurlOf({ origin, path })}
          />
        ))}
    </details>
  );
}

/** Who is signed in is asked on every page; it comes last. */
const isFrames = ({ document }: ShownOperation): boolean => nameOf(document) === 'Session';
