import { useEffect, useState } from 'react';
import { useViewer } from '../session/session.tsx';
import { Card } from '../ui/card.tsx';

/**
 * Links to the API reference and tools. They are outside the console, so each opens in a new
 * window.
 */
export function Explore() {
  const { memberships } = useViewer();
  const hasGraphiql = useHasGraphiql();
  return (
    <Card title="Reference and tools">
      <ul className="developers-links">
        <li>
          <ExternalLink href="/api/docs">API reference</ExternalLink>
          <p className="quiet">Every REST call with its input, its responses and a curl example.</p>
        </li>
        <li>
          <ExternalLink href="/api/openapi.json">OpenAPI document</ExternalLink>
          <p className="quiet">The same reference for client generators.</p>
        </li>
        <li>
          {hasGraphiql === false ? (
            <strong>GraphiQL</strong>
          ) : (
            <ExternalLink href="/graphql">GraphiQL</ExternalLink>
          )}
          <p className="quiet">
            {hasGraphiql === false
              ? 'It is disabled on this server; the setting GRAPHIQL enables it.'
              : 'Write GraphQL queries and see their results. They run as you, with this session, or with a key that you set in the headers.'}
            {hasGraphiql !== false && memberships.length > 1 && (
              <>
                {' '}
                They run in your default organization; the header <code>x-atrium-organization</code>{' '}
                names another one.
              </>
            )}
          </p>
        </li>
        <li>
          <strong>Queries of this console</strong>
          <p className="quiet">
            “Show this page as GraphQL and curl” in the account menu shows the queries of the
            current page, ready to copy.
          </p>
        </li>
      </ul>
    </Card>
  );
}

function ExternalLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
      <span className="sr-only"> (opens in a new window)</span>
    </a>
  );
}

/** Whether this server serves GraphiQL; undefined until the response arrives. */
function useHasGraphiql(): boolean | undefined {
  const [isServed, setServed] = useState<boolean>();
  useEffect(() => {
    const controller = new AbortController();
    fetch('/graphql', { headers: { accept: 'text/html' }, signal: controller.signal }).then(
      ({ headers }) => setServed(headers.get('content-type')?.startsWith('text/html') ?? false),
      () => undefined,
    );
    return () => controller.abort();
  }, []);
  return isServed;
}
