import { CodeBlock } from '../../ui/code-block.tsx';

export type ExampleCall = { path: string; does: string; body?: string };

/** A first call with the new key, ready to paste into a terminal. */
export function ExampleCommand({ secret, path, does, body }: ExampleCall & { secret: string }) {
  const bodyOptions = body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${body}'`;
  return (
    <CodeBlock
      label={`Try it in a terminal; this ${does}:`}
      copyLabel="Copy command"
      text={`curl -H 'Authorization: Bearer ${secret}'${bodyOptions} ${location.origin}${path}`}
    />
  );
}
