import { CopyButton } from '../../ui/copy-button.tsx';

export type Try = { path: string; what: string; body?: string };

/** A first call with the new key, to be pasted into a terminal. */
export function TryKey({ secret, path, what, body }: Try & { secret: string }) {
  const sent = body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${body}'`;
  const command = `curl -H 'Authorization: Bearer ${secret}'${sent} ${location.origin}${path}`;
  return (
    <div className="settings-try">
      <div className="settings-try-head">
        <p>Try it in a terminal; this {what}:</p>
        <CopyButton text={command} label="Copy command" />
      </div>
      <pre>
        <code>{command}</code>
      </pre>
    </div>
  );
}
