import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph.ts';
import type { PlainKey } from '../../texts/catalogue.ts';
import { language } from '../../texts/language.ts';
import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { FilePicker, SelectField, TextArea } from '../../ui/fields.tsx';
import { Form, FormButtons, fieldText } from '../../ui/form.tsx';
import { readAddresses } from '../../ui/read-addresses.ts';
import { SkippedLines } from '../../ui/skipped-lines.tsx';
import { Table } from '../../ui/table.tsx';
import {
  InviteToLinkDocument,
  type InviteToLinkMutation,
  type LinkInvitationSkipReason,
} from '../documents.ts';

type InviteAnswer = InviteToLinkMutation['inviteToLink'];

const addressesMax = 1_000;
const validDays = [7, 14, 30, 60, 90];
const reminderDays = [1, 2, 3, 5, 7, 14];

/** Invites the people of a list or a CSV file to redeem a link, by mail. */
export function InvitePeople({ linkId }: { linkId: string }) {
  const [answer, setAnswer] = useState<InviteAnswer>();
  return (
    <DialogButton
      icon="plus"
      label={t('inviting.invitePeople')}
      title={t('inviting.invitePeople')}
      wide
      onClose={() => setAnswer(undefined)}
    >
      {(close) =>
        answer ? (
          <Outcome {...answer} onClose={close} />
        ) : (
          <InviteForm linkId={linkId} onInvited={setAnswer} onCancel={close} />
        )
      }
    </DialogButton>
  );
}

type InviteFormProps = {
  linkId: string;
  onInvited: (answer: InviteAnswer) => void;
  onCancel: () => void;
};

function InviteForm({ linkId, onInvited, onCancel }: InviteFormProps) {
  const [text, setText] = useState('');
  const { addresses: emails, skippedLines } = readAddresses(text);
  const [faults, setFaults] = useState<{ addresses?: string; reminder?: string }>({});
  const { run, busy, fault } = useGraphMutation(InviteToLinkDocument, {
    invalidates: ['LinkInvitation'],
  });
  const submit = async (data: FormData) => {
    const days = Number(fieldText(data, 'days'));
    const reminder = Number(fieldText(data, 'reminderDays'));
    const found = faultsOf({ emails, days, reminder });
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    const answer = await run({
      ...{ linkId, emails, days, reminderDays: reminder === 0 ? null : reminder },
      language: fieldText(data, 'language') === 'DE' ? 'DE' : 'EN',
    });
    if (answer) onInvited(answer.inviteToLink);
  };
  const readFile = async ([file]: File[]) => {
    if (file) setText(await file.text());
  };
  return (
    <Form
      label={t('inviting.invitePeople')}
      onSubmit={submit}
      action={{ busy, fault }}
      submit={t('inviting.inviteCount', { count: emails.length })}
      buttons={<Button onClick={onCancel}>{t('ui.cancel')}</Button>}
    >
      <p>{t('inviting.inviteHint')}</p>
      <TextArea
        label={t('inviting.addresses')}
        name="addresses"
        rows={6}
        required
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setFaults({});
        }}
        error={faults.addresses}
        hint={t('inviting.addressesHint')}
      />
      <SkippedLines lines={skippedLines} />
      <p>
        <FilePicker icon="file" label={t('inviting.addressFile')} onFiles={readFile}>
          {t('inviting.chooseCsvFile')}
        </FilePicker>
      </p>
      <SelectField
        label={t('inviting.validFor')}
        name="days"
        defaultValue="14"
        options={validDays.map((days) => ({
          value: String(days),
          label: t('inviting.validDays', { days }),
        }))}
      />
      <SelectField
        label={t('inviting.reminder')}
        name="reminderDays"
        defaultValue="3"
        error={faults.reminder}
        options={[
          { value: '0', label: t('inviting.noReminder') },
          ...reminderDays.map((days) => ({
            value: String(days),
            label: t('inviting.reminderDays', { days }),
          })),
        ]}
      />
      <SelectField
        label={t('inviting.language')}
        name="language"
        defaultValue={language() === 'de' ? 'DE' : 'EN'}
        options={[
          { value: 'EN', label: t('inviting.english') },
          { value: 'DE', label: t('inviting.german') },
        ]}
      />
    </Form>
  );
}

type InviteInput = { emails: readonly string[]; days: number; reminder: number };

function faultsOf({ emails, days, reminder }: InviteInput) {
  if (emails.length === 0) return { addresses: t('inviting.noAddresses') };
  if (emails.length > addressesMax)
    return { addresses: t('inviting.tooManyAddresses', { addressesMax }) };
  return reminder >= days ? { reminder: t('inviting.reminderTooEarly') } : {};
}

const reasons: Record<LinkInvitationSkipReason, PlainKey> = {
  ALREADY_INVITED: 'inviting.alreadyInvited',
  ALREADY_REDEEMED: 'inviting.alreadyRedeemed',
  NOT_ALLOWED: 'inviting.notAllowed',
  MAILED_OFTEN: 'inviting.mailedOften',
};

/** How many people were invited, and why others were not. */
function Outcome({ invited, skipped, onClose }: InviteAnswer & { onClose: () => void }) {
  return (
    <>
      <p role="status">{t('inviting.invitedCount', { count: invited })}</p>
      {skipped.length > 0 && (
        <Table
          caption={t('inviting.skippedCaption')}
          rows={skipped}
          keyOf={({ email }) => email}
          columns={[
            { title: t('inviting.address'), cell: ({ email }) => email },
            { title: t('inviting.why'), cell: ({ reason }) => t(reasons[reason]) },
          ]}
        />
      )}
      <FormButtons>
        <Button kind="primary" onClick={onClose}>
          {t('ui.done')}
        </Button>
      </FormButtons>
    </>
  );
}
