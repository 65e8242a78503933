import { useEffect, useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
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
type LinkProps = {
  link: Pick<LinkRow, 'id' | 'name' | 'url' | 'shortUrl' | 'isActive' | 'hasPassword'>;
};

const passwordRules = {
  name: 'password',
  minLength: 4,
  maxLength: 200,
  autoComplete: 'new-password',
};

/** Creates a link and shows it, ready to copy. */
export function CreateLink({ campaignId }: { campaignId: string }) {
  const create = useGraphMutation(CreateLinkDocument, { invalidates: ['Link'] });
  const [created, setCreated] = useState<{ name: string; url: string; shortUrl: string }>();
  const submit = async (data: FormData) => {
    const name = fieldText(data, 'name');
    const password = readPassword(data);
    const answer = await create.run({ campaignId, ...(name === '' ? {} : { name }), password });
    setCreated(answer?.createLink.link);
  };
  const showLink = (close: () => void) =>
    created && (
      <>
        <p>{t('links.share', { name: created.name })}</p>
        <CopyBox text={created.url} copyLabel={t('links.copyLink')} />
        <p>{t('links.shortFor')}</p>
        <CopyBox text={created.shortUrl} copyLabel={t('links.copyShort')} />
        <FormButtons>
          <Button kind="primary" onClick={close}>
            {t('ui.done')}
          </Button>
        </FormButtons>
      </>
    );
  return (
    <FormDialog
      icon="plus"
      label={t('links.newLink')}
      title={created ? t('links.linkCreated') : t('links.newLink')}
      action={create}
      onSubmit={submit}
      submit={t('links.createLink')}
      onClose={() => setCreated(undefined)}
      result={showLink}
    >
      <NameField required={false} hint={t('links.nameHint')} />
      <PasswordField
        label={t('links.password')}
        required={false}
        {...passwordRules}
        hint={t('links.passwordHint')}
      />
    </FormDialog>
  );
}

/** Sets, changes or removes the password of a link. The current password cannot be read. */
export function LinkPassword({ link: { id, name, hasPassword } }: LinkProps) {
  const change = useGraphMutation(SetLinkPasswordDocument, {
    success: (_, { password }) =>
      password === null ? t('links.passwordRemoved') : t('links.passwordSet'),
  });
  const setPassword = (password: string | null) => change.run({ linkId: id, password });
  return (
    <FormDialog
      label={t('links.password')}
      subject={t('links.ofName', { name })}
      title={t('links.linkPassword')}
      action={change}
      onSubmit={(data) => setPassword(readPassword(data) ?? '')}
      submit={t('links.setPassword')}
      buttons={(close) =>
        hasPassword && (
          <Button
            kind="danger"
            busy={change.busy}
            onClick={async () => (await setPassword(null)) && close()}
          >
            {t('links.removePassword')}
          </Button>
        )
      }
    >
      <p>{hasPassword ? t('links.hasPassword', { name }) : t('links.hasNoPassword', { name })}</p>
      <PasswordField label={t('links.newPassword')} required {...passwordRules} />
    </FormDialog>
  );
}

export function RenameLink({ link: { id, name } }: LinkProps) {
  const rename = useGraphMutation(UpdateLinkDocument);
  return (
    <FormDialog
      label={t('links.rename')}
      subject={name}
      title={t('links.renameLink')}
      action={rename}
      onSubmit={(data) => rename.run({ linkId: id, name: fieldText(data, 'name') })}
      submit={t('links.rename')}
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
      <Badge tone={isShownActive ? 'good' : 'bad'}>
        {isShownActive ? t('links.active') : t('links.paused')}
      </Badge>
      <Button kind="quiet" subject={name} onClick={toggle}>
        {isShownActive ? t('links.pause') : t('links.resume')}
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
export const QrDialog = ({ link: { name, shortUrl } }: LinkProps) => (
  <DialogButton
    label={t('links.qrCode')}
    subject={t('links.ofName', { name })}
    title={t('links.qrCodeOf', { name })}
  >
    {() => <QrCode name={name} url={shortUrl} />}
  </DialogButton>
);

function QrCode({ name, url }: { name: string; url: string }) {
  const code = createQrCode(url);
  const download = () =>
    saveFile(`${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.svg`, 'image/svg+xml', [code.svg]);
  return (
    <>
      <QrImage code={code} label={t('links.qrCodeOf', { name: url })} />
      <p className="hint sponsorship-url">{url}</p>
      <FormButtons>
        <Button icon="download" onClick={download}>
          {t('links.downloadSvg')}
        </Button>
      </FormButtons>
    </>
  );
}
