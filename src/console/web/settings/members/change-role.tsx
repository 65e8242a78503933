import { useState } from 'react';
import { useLocation } from 'wouter';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { ConfirmPassword, isNotRecent } from '../../session/confirm-password.tsx';
import { useSession, useViewer } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { displayName } from '../display-name.ts';
import { SetMemberRoleDocument } from './documents.ts';
import type { Member } from './member-actions.tsx';
import { roleIn, roleOptions } from './roles.ts';

export function ChangeRole({ user, onDone }: { user: Member; onDone: () => void }) {
  const { person } = useViewer();
  const { refetch } = useSession();
  const { run, busy, fault, clear } = useGraphMutation(SetMemberRoleDocument, {
    invalidates: ['User', 'ApiKey'],
  });
  const [entered, setEntered] = useState<FormData>();
  const toast = useToast();
  const [, go] = useLocation();
  const isSelf = user.id === person.id;

  const save = async (data: FormData) => {
    setEntered(data);
    const role = roleIn(data);
    if (!(await run({ userId: user.id, role }))) return;
    toast(`${displayName(user)} is ${role === 'ADMIN' ? 'an administrator' : 'a member'} now`);
    onDone();
    // The pages of administrators are not theirs any more.
    if (isSelf && role === 'MEMBER') {
      go('/');
      refetch();
    }
  };

  return (
    <>
      <Form label="Change the role" onSubmit={save} fault={isNotRecent(fault) ? undefined : fault}>
        <SelectField
          label="Role"
          name="role"
          options={roleOptions}
          defaultValue={user.isAdmin ? 'ADMIN' : 'MEMBER'}
          hint={
            isSelf
              ? 'As a member you can no longer change this back.'
              : 'An administrator can do all that you can do here.'
          }
        />
        <FormButtons>
          <Button type="submit" kind="primary" busy={busy}>
            Save the role
          </Button>
        </FormButtons>
      </Form>
      <ConfirmPassword fault={fault} onConfirmed={() => entered && save(entered)} onClose={clear} />
    </>
  );
}
