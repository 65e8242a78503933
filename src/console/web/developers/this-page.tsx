import { useState } from 'react';
import { richText, t } from '../texts/text.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Badge, EmptyState } from '../ui/status.tsx';
import { operationName, printQuery, toCurl, toRestCurl } from './program-text.ts';
import { restCallsFor } from './rest-calls.ts';
import './developers.css';
import { type PageOperation, pageOperations } from './watch-operations.ts';

/** Shows the operations of the current page, so that a program can send them as well. */
export function ThisPage({ open, onClose }: { open: boolean; onClose: () => void }) {
  // The list is read once, so that queries refreshed behind the dialog do not move the text.
  const [operations] = useState(() =>
    [...pageOperations()].sort(
      (left, right) => Number(isSessionQuery(left)) - Number(isSessionQuery(right)),
    ),
  );
  return (
    <Dialog title={t('developers.thisPage')} open={open} onClose={onClose} wide>
      <p>{richText('developers.thisPageHint', { code: (text) => <code>{text}</code> })}</p>
      {operations.length === 0 && <EmptyState title={t('developers.noRequests')} />}
      {operations.map((operation, index) => (
        <OperationDetails key={operation.number} operation={operation} isOpen={index === 0} />
      ))}
    </Dialog>
  );
}

function OperationDetails({
  operation: { kind, document, variables },
  isOpen,
}: {
  operation: PageOperation;
  isOpen: boolean;
}) {
  const { origin } = location;
  const query = printQuery(document);
  const hasVariables = Object.keys(variables).length > 0;
  return (
    <details className="developers-operation" open={isOpen}>
      <summary>
        <strong>{operationName(document)}</strong>{' '}
        <Badge tone={kind === 'mutation' ? 'busy' : 'plain'}>{kind}</Badge>
      </summary>
      <CodeBlock label="GraphQL" text={query} />
      {hasVariables && (
        <CodeBlock
          label={t('developers.variables')}
          text={JSON.stringify(variables, undefined, 2)}
        />
      )}
      <CodeBlock label="curl" text={toCurl({ origin, query, variables })} />
      {kind === 'query' &&
        restCallsFor(document, variables).map(({ path, key }) => (
          <CodeBlock
            key={path}
            label={t('developers.restWith', { key })}
            text={toRestCurl({ origin, path })}
          />
        ))}
    </details>
  );
}

/** Every page queries the session, so that query is listed last. */
const isSessionQuery = ({ document }: PageOperation): boolean =>
  operationName(document) === 'Session';
