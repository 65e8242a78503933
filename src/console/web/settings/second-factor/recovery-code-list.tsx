import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FormButtons } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { saveFile } from '../../ui/save-file.ts';

/** Shows new recovery codes once, right after they were created. */
export function RecoveryCodeList({
  codes,
  onDone,
}: {
  codes: readonly string[];
  onDone: () => void;
}) {
  const text = `${codes.join('\n')}\n`;
  return (
    <div className="one-time-secret">
      <p>
        <strong>Keep these recovery codes in a safe place.</strong> Each one signs you in once when
        you do not have your device. They are not shown again.
      </p>
      <ul className="recovery-codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <FormButtons>
        <CopyButton text={text} />
        <Button onClick={() => saveFile('atrium-recovery-codes.txt', 'text/plain', [text])}>
          <Icon name="download" /> Download
        </Button>
        <Button kind="primary" onClick={onDone}>
          Done
        </Button>
      </FormButtons>
    </div>
  );
}
