import { useEffect, useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { Button } from '../../ui/button.tsx';
import { DialogButton, FormDialog } from '../../ui/dialog.tsx';
import { NameField, PasswordField } from '../../ui/fields.tsx';
import { FormButtons, fieldText } from '../../ui/form.tsx';
import { CopyBox } from '../../ui/one-time-secret.tsx';
import { createQrCode, QrImage } from '../../ui/qr.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Badge } from '../../ui/status.tsx';
import {
  CreateLinkDocument,
  type LinksQuery,
  SetLinkPasswordDocument,
  UpdateLinkDocument,
} from '../documents.ts';
import { readPassword } from '../form-values.ts';

export type LinkRow = LinksQuery['links']['nodes'][number];
type LinkProps = { link: LinkRow };

const passwordRules = {
  name: 'password',
  minLength: 4,
  maxLength: 200,
  autoComplete: 'new-password',
};

/** Creates a link and shows it, ready to copy. */
export function CreateLink({ campaignId }: { campaignId: string }) {
  const create = useGraphMutation(CreateLinkDocument, { invalidates: ['Link'] });
  const [created, setCreated] = useState<{ name: string; url: string }>();
  const submit = async (data: FormData) => {
    const name = fieldText(data, 'name');
    const password = readPassword(data);
    const answer = await create.run({ campaignId, ...(name === '' ? {} : { name }), password });
    setCreated(answer?.createLink.link);
  };
  const showLink = (close: () => void) =>
    created && (
      <>
        <p>Share “{created.name}”:</p>
        <CopyBox text={created.url} copyLabel="Copy link" />
        <FormButtons>
          <Button kind="primary" onClick={close}>
            Done
          </Button>
        </FormButtons>
      </>
    );
  return (
    <FormDialog
      icon="plus"
      label="New link"
      title={created ? 'Link created' : 'New link'}
      action={create}
      onSubmit={submit}
      submit="Create link"
      onClose={() => setCreated(undefined)}
      result={showLink}
    >
      <NameField
        required={false}
        hint="Only your organization sees it. Leave empty for “Link 1”, “Link 2” and so on."
      />
      <PasswordField
        label="Password"
        required={false}
        {...passwordRules}
        hint="People must enter it to open the link. It is not shown again."
      />
    </FormDialog>
  );
}

/** Sets, changes or removes the password of a link. The current password cannot be read. */
export function LinkPassword({ link: { id, name, hasPassword } }: LinkProps) {
  const change = useGraphMutation(SetLinkPasswordDocument, {
    success: (_, { password }) =>
      password === null ? 'The password was removed' : 'The password was set',
  });
  const setPassword = (password: string | null) => change.run({ linkId: id, password });
  return (
    <FormDialog
      label="Password"
      subject={`of ${name}`}
      title="Link password"
      action={change}
      onSubmit={(data) => setPassword(readPassword(data) ?? '')}
      submit="Set password"
      buttons={(close) =>
        hasPassword && (
          <Button
            kind="danger"
            busy={change.busy}
            onClick={async () => (await setPassword(null)) && close()}
          >
            Remove password
          </Button>
        )
      }
    >
      <p>
        {hasPassword
          ? `“${name}” has a password. Set a new one, or remove it.`
          : `“${name}” has no password.`}
      </p>
      <PasswordField label="New password" required {...passwordRules} />
    </FormDialog>
  );
}

export function RenameLink({ link: { id, name } }: LinkProps) {
  const rename = useGraphMutation(UpdateLinkDocument);
  return (
    <FormDialog
      label="Rename"
      subject={name}
      title="Rename link"
      action={rename}
      onSubmit={(data) => rename.run({ linkId: id, name: fieldText(data, 'name') })}
      submit="Rename"
    >
      <NameField defaultValue={name} />
    </FormDialog>
  );
}

/**
 * Pauses or resumes a link. The new state is shown at once, and reverted when the API rejects the
 * change.
 */
export function PauseLink({ link: { id, name, isActive } }: LinkProps) {
  const [requestedState, setRequestedState] = useState<boolean>();
  const { run, fault } = useGraphMutation(UpdateLinkDocument);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a state fetched from the API replaces the requested one
  useEffect(() => setRequestedState(undefined), [isActive]);
  const isShownActive = requestedState ?? isActive;
  const toggle = async () => {
    setRequestedState(!isShownActive);
    if (!(await run({ linkId: id, isActive: !isShownActive }))) setRequestedState(undefined);
  };
  return (
    <div className="row">
      <Badge tone={isShownActive ? 'good' : 'bad'}>{isShownActive ? 'Active' : 'Paused'}</Badge>
      <Button kind="quiet" subject={name} onClick={toggle}>
        {isShownActive ? 'Pause' : 'Resume'}
      </Button>
      {fault && (
        <span className="fault" role="alert">
          {fault.message}
        </span>
      )}
    </div>
  );
}

/** Shows a link as a QR code, for print. */
export const QrDialog = ({ link: { name, url } }: LinkProps) => (
  <DialogButton label="QR code" subject={`of ${name}`} title={`QR code of ${name}`}>
    {() => <QrCode name={name} url={url} />}
  </DialogButton>
);

function QrCode({ name, url }: { name: string; url: string }) {
  const code = createQrCode(url);
  const download = () =>
    saveFile(`${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.svg`, 'image/svg+xml', [code.svg]);
  return (
    <>
      <QrImage code={code} label={`QR code of ${url}`} />
      <p className="hint sponsorship-url">{url}</p>
      <FormButtons>
        <Button icon="download" onClick={download}>
          Download SVG
        </Button>
      </FormButtons>
    </>
  );
}
