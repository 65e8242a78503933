import { CopyButton } from '../../ui/copy-button.tsx';

export type ExampleCall = { path: string; does: string; body?: string };

/** A first call with the new key, ready to paste into a terminal. */
export function ExampleCommand({ secret, path, does, body }: ExampleCall & { secret: string }) {
  const bodyOptions = body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${body}'`;
  const command = `curl -H 'Authorization: Bearer ${secret}'${bodyOptions} ${location.origin}${path}`;
  return (
    <div className="settings-example">
      <div className="settings-example-head">
        <p>ExampleCall it in a terminal; this {does}:</p>
        <CopyButton text={command} label="Copy command" />
      </div>
      <pre>
        <code>{command}</code>
      </pre>
    </div>
  );
}
