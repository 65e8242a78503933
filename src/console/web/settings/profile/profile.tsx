import { useGraphMutation } from '../../graph/use-graph.ts';
import { forgetPerson } from '../../session/other-tabs.ts';
import { useSession, useViewer } from '../../session/session.tsx';
import { t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton, FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, fieldText } from '../../ui/form.tsx';
import { Card, PageHead } from '../../ui/page.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Badge, FaultNote } from '../../ui/status.tsx';
import { OwnKeys } from '../members/own-keys.tsx';
import {
  DeleteAccountDocument,
  ExportAccountDocument,
  LeaveOrganizationDocument,
  UpdateProfileDocument,
} from './documents.ts';
import { NotificationKinds } from './notification-kinds.tsx';

export function Profile() {
  const { person } = useViewer();
  return (
    <>
      <PageHead title={t('profile.profile')} lead={t('profile.profileLead')} />
      <YourName />
      <YourOrganizations />
      <NotificationKinds />
      <ExportCard />
      <DeleteCard email={person.email} />
    </>
  );
}

function YourName() {
  const { person } = useViewer();
  const { refetch } = useSession();
  const { run, busy, fault } = useGraphMutation(UpdateProfileDocument, {
    success: t('profile.nameSaved'),
  });
  const save = async (data: FormData) => {
    const names = {
      firstName: fieldText(data, 'firstName'),
      lastName: fieldText(data, 'lastName'),
    };
    if (await run(names)) refetch();
  };
  return (
    <Card title={t('profile.yourName')}>
      <Form
        label={t('profile.yourName')}
        onSubmit={save}
        action={{ busy, fault }}
        submit={t('profile.save')}
        guardsChanges
        className="settings-form"
      >
        <TextField
          label={t('profile.firstName')}
          name="firstName"
          defaultValue={person.firstName}
          autoComplete="given-name"
          maxLength={200}
        />
        <TextField
          label={t('profile.lastName')}
          name="lastName"
          defaultValue={person.lastName}
          autoComplete="family-name"
          maxLength={200}
        />
        <TextField
          label={t('profile.emailAddress')}
          name="email"
          type="email"
          value={person.email}
          readOnly
          hint={t('profile.emailHint')}
        />
      </Form>
    </Card>
  );
}

/** The organizations of a person, each with a button to leave it. */
function YourOrganizations() {
  const { organization: current, memberships } = useViewer();
  const { refetch, choose } = useSession();
  const { run, fault } = useGraphMutation(LeaveOrganizationDocument);
  const leave = async (id: string) => {
    if (!(await run({ organizationId: id }))) return false;
    if (id === current?.id) choose(null);
    else refetch();
    return true;
  };
  return (
    <Card title={t('profile.yourOrganizations')}>
      <FaultNote fault={fault} />
      {memberships.length === 0 ? (
        <p className="quiet">{t('profile.noOrganization')}</p>
      ) : (
        <ul className="plain-list settings-organizations">
          {memberships.map(({ organization: { id, name }, isAdmin, isAccepted }) => (
            <li key={id} className="spread">
              <span>
                {name}{' '}
                <span className="quiet">
                  {isAdmin ? t('profile.asAdministrator') : t('profile.asMember')}
                </span>{' '}
                {!isAccepted && <Badge tone="busy">{t('profile.addedYou')}</Badge>}
              </span>
              <ConfirmButton
                label={t('profile.leave')}
                subject={name}
                title={t('profile.leaveQuestion', { name })}
                question={
                  <>
                    <p>{t('profile.leaveHint')}</p>
                    {id === current?.id && <OwnKeys />}
                    {id !== current?.id && isAdmin && <p>{t('profile.leaveKeysHint')}</p>}
                  </>
                }
                confirmLabel={t('profile.leave')}
                done={t('profile.youLeft', { name })}
                onConfirm={() => leave(id)}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Exports the data that Atrium stores about a person. */
function ExportCard() {
  const { run, busy, fault } = useGraphMutation(ExportAccountDocument);
  const save = async () => {
    const result = await run({});
    if (!result) return;
    const text = JSON.stringify(result.exportAccount.data, null, 2);
    saveFile('atrium-account.json', 'application/json', [text]);
  };
  return (
    <Card title={t('profile.yourData')}>
      <p>{t('profile.yourDataHint')}</p>
      <FaultNote fault={fault} />
      <Button icon="download" busy={busy} onClick={save}>
        {t('profile.exportData')}
      </Button>
    </Card>
  );
}

function DeleteCard({ email }: { email: string }) {
  const remove = useGraphMutation(DeleteAccountDocument);
  const submit = async (data: FormData) => {
    // The session no longer exists, so the page is loaded again.
    if (!(await remove.run({ email: fieldText(data, 'email') }))) return;
    forgetPerson();
    location.assign('/auth');
  };
  return (
    <Card title={t('profile.deleteYourAccount')}>
      <p>{t('profile.deleteHint')}</p>
      <FormDialog
        kind="danger"
        label={t('profile.deleteAccount')}
        title={t('profile.deleteQuestion')}
        formLabel={t('profile.deleteYourAccount')}
        action={remove}
        onSubmit={submit}
        submit={t('profile.deleteAccount')}
        submitKind="danger"
      >
        <p>{t('profile.deleteKeeps')}</p>
        <OwnKeys />
        <TextField
          label={t('profile.typeToConfirm', { email })}
          name="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      </FormDialog>
    </Card>
  );
}
