import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAction } from '../../graph/use-action.ts';
import { ConfirmPassword, isNotRecent } from '../../session/confirm-password.tsx';
import { useSession, useViewer } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { nameOf } from '../name-of.ts';
import { SetMemberRoleDocument } from './documents.ts';
import type { Member } from './member-actions.tsx';
import { roleIn, roleOptions } from './roles.ts';

export function ChangeRole({ user, onDone }: { user: Member; onDone: () => void }) {
  const { person } = useViewer();
  const { again } = useSession();
  const { run, busy, fault, clear } = useAction(SetMemberRoleDocument, {
    touches: ['User', 'ApiKey'],
  });
  const [entered, setEntered] = useState<FormData>();
  const toast = useToast();
  const [, go] = useLocation();
  const isSelf = user.id === person.id;

  const save = async (data: FormData) => {
    setEntered(data);
    const role = roleIn(data);
    if (!(await run({ userId: user.id, role }))) return;
    toast(`${nameOf(user)} is ${role === 'ADMIN' ? 'an administrator' : 'a member'} now`);
    onDone();
    // The pages of administrators are not theirs any more.
    if (isSelf && role === 'MEMBER') {
      go('/');
      again();
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
