import { useContext, useRef, useState } from 'react';
import { client } from '../../graph/client.ts';
import { type ApiFault, faultOf } from '../../graph/fault.ts';
import { PasswordConfirmation } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { csvLines } from '../../ui/csv.ts';
import { DialogButton } from '../../ui/dialog.tsx';
import { FilePicker, SelectField, TextArea } from '../../ui/fields.tsx';
import { Form, fieldText } from '../../ui/form.tsx';
import { readAddresses } from '../../ui/read-addresses.ts';
import { saveFile } from '../../ui/save-file.ts';
import { SkippedLines } from '../../ui/skipped-lines.tsx';
import { FaultNote, Progress } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { InviteMemberDocument } from './documents.ts';
import { parseRole, roleOptions, useTeamOptions } from './invite-member.tsx';

/** An organization may send this many invitations in an hour. */
const addressesMax = 100;
/** Faults that every further invitation would meet as well. */
const lastingFaults = ['RATE_LIMITED', 'UNAUTHENTICATED', 'FORBIDDEN', 'UNREACHABLE'];

type Outcome = { email: string; link?: string; isMailed?: boolean; fault?: ApiFault };
type Import = { outcomes: Outcome[]; total: number };

/** Invites many people at once, from a list or a CSV file. */
export function ImportPeople() {
  const [state, setState] = useState<Import>();
  const isCancelled = useRef(false);
  const confirmPassword = useContext(PasswordConfirmation);
  const invite = async (emails: string[], role: 'ADMIN' | 'MEMBER', teamId: string | null) => {
    isCancelled.current = false;
    const outcomes: Outcome[] = [];
    setState({ outcomes, total: emails.length });
    for (const email of emails) {
      if (isCancelled.current) return;
      const send = () =>
        client.mutation(InviteMemberDocument, { email, role, teamId }, invitations).toPromise();
      let { data, error } = await send();
      // Administrators are invited only after a recent sign-in, which can pass during a long list.
      if (error && faultOf(error).reason === 'SIGN_IN_NOT_RECENT' && (await confirmPassword()))
        ({ data, error } = await send());
      const fault = error && faultOf(error);
      outcomes.push({ email, ...data?.sent, ...(fault && { fault }) });
      const isLast = fault !== undefined && lastingFaults.includes(fault.code);
      setState({ outcomes: [...outcomes], total: isLast ? outcomes.length : emails.length });
      if (isLast) return;
    }
  };
  return (
    <DialogButton
      icon="upload"
      label={t('members.importPeople')}
      title={t('members.invitePeople')}
      wide
      onClose={() => {
        isCancelled.current = true;
        setState(undefined);
      }}
    >
      {(close) =>
        state ? (
          <Outcomes {...state} onClose={close} />
        ) : (
          <AddressForm onCancel={close} onInvite={invite} />
        )
      }
    </DialogButton>
  );
}

const invitations = { additionalTypenames: ['Invitation'] };

type AddressFormProps = {
  onCancel: () => void;
  onInvite: (emails: string[], role: 'ADMIN' | 'MEMBER', teamId: string | null) => Promise<void>;
};

function AddressForm({ onCancel, onInvite }: AddressFormProps) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const teams = useTeamOptions();
  const { addresses, skippedLines } = readAddresses(text);
  const submit = async (data: FormData) => {
    if (addresses.length === 0) setError(t('members.noAddresses'));
    else if (addresses.length > addressesMax)
      setError(t('members.tooManyAddresses', { addressesMax }));
    else await onInvite(addresses, parseRole(data), fieldText(data, 'teamId') || null);
  };
  const readFile = async ([file]: File[]) => {
    if (file) setText(await file.text());
  };
  return (
    <Form
      label={t('members.invitePeople')}
      onSubmit={submit}
      action={{ busy: false, fault: undefined }}
      submit={t('members.inviteCount', { count: addresses.length })}
      buttons={<Button onClick={onCancel}>{t('ui.cancel')}</Button>}
    >
      <TextArea
        label={t('members.addresses')}
        name="addresses"
        rows={8}
        required
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setError(undefined);
        }}
        error={error}
        hint={t('members.addressesHint')}
      />
      <SkippedLines lines={skippedLines} />
      <p>
        <FilePicker icon="file" label={t('members.addressFile')} onFiles={readFile}>
          {t('members.chooseCsvFile')}
        </FilePicker>
      </p>
      <SelectField label={t('members.role')} name="role" options={roleOptions()} />
      {teams.length > 0 && (
        <SelectField
          label={t('members.team')}
          name="teamId"
          options={[{ value: '', label: t('members.defaultTeamOnly') }, ...teams]}
        />
      )}
    </Form>
  );
}

/** The outcome for each address. The links are shown nowhere else, so they can be saved. */
function Outcomes({ outcomes, total, onClose }: Import & { onClose: () => void }) {
  const links = outcomes.flatMap(({ email, link }) => (link ? [[email, link]] : []));
  const isDone = outcomes.length === total;
  const save = () =>
    saveFile('invitations.csv', 'text/csv', [csvLines([['email', 'link'], ...links])]);
  const lasting = outcomes.at(-1)?.fault;
  return (
    <>
      <p aria-live="polite">{t('members.invitedOf', { count: links.length, total })}</p>
      {!isDone && (
        <Progress value={outcomes.length / total} label={t('members.invitationsProgress')} />
      )}
      {lasting && lastingFaults.includes(lasting.code) && <FaultNote fault={lasting} />}
      <Table
        caption={t('members.invitePeople')}
        rows={outcomes.map((outcome) => ({ ...outcome, id: outcome.email }))}
        columns={[
          { title: t('members.address'), cell: ({ email }) => email },
          { title: t('members.state'), cell: describeOutcome },
        ]}
      />
      <div className="form-buttons">
        {links.length > 0 && isDone && (
          <Button icon="download" onClick={save}>
            {t('members.saveLinks')}
          </Button>
        )}
        <Button kind="primary" onClick={onClose}>
          {isDone ? t('ui.close') : t('ui.cancel')}
        </Button>
      </div>
      {links.length > 0 && isDone && <p className="quiet">{t('members.saveLinksHint')}</p>}
    </>
  );
}

const describeOutcome = ({ fault, isMailed }: Outcome) => {
  if (fault) return fault.message;
  return isMailed ? t('members.wasMailed') : t('members.linkToPassOn');
};
