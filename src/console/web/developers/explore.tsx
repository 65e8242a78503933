import { useEffect, useState } from 'react';
import { useViewer } from '../session/session.tsx';
import { Card } from '../ui/card.tsx';

/**
 * Where the API tells of itself. These pages are beside the console, so each opens in a window of
 * its own.
 */
export function Explore() {
  const { memberships } = useViewer();
  const hasGraphiql = useGraphiql();
  return (
    <Card title="Explore">
      <ul className="developers-links">
        <li>
          <Outside href="/api/docs">API reference</Outside>
          <p className="quiet">
            Each call of the REST API with its input, its answers and a line for the shell.
          </p>
        </li>
        <li>
          <Outside href="/api/openapi.json">OpenAPI document</Outside>
          <p className="quiet">The same for generators of clients.</p>
        </li>
        <li>
          {hasGraphiql === false ? (
            <strong>GraphiQL</strong>
          ) : (
            <Outside href="/graphql">GraphiQL</Outside>
          )}
          <p className="quiet">
            {hasGraphiql === false
              ? 'It is switched off on this server; the setting GRAPHIQL switches it on.'
              : 'Write questions to the graph and see what they answer. It asks as you, with this session; a key in its headers asks as that key.'}
            {hasGraphiql !== false && memberships.length > 1 && (
              <>
                {' '}
                It asks in your default organization; the header <code>x-atrium-organization</code>{' '}
                names another.
              </>
            )}
          </p>
        </li>
        <li>
          <strong>Any page of this console</strong>
          <p className="quiet">
            “This page as GraphQL / as curl” in the menu at your name shows what the page has asked,
            ready to be pasted.
          </p>
        </li>
      </ul>
    </Card>
  );
}

function Outside({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
      <span className="sr-only"> (opens in a new window)</span>
    </a>
  );
}

/** Whether GraphiQL is served here; undefined until that is known. */
function useGraphiql(): boolean | undefined {
  const [isServed, setServed] = useState<boolean>();
  useEffect(() => {
    const leaving = new AbortController();
    fetch('/graphql', { headers: { accept: 'text/html' }, signal: leaving.signal }).then(
      ({ headers }) => setServed(headers.get('content-type')?.startsWith('text/html') ?? false),
      () => undefined,
    );
    return () => leaving.abort();
  }, []);
  return isServed;
}
