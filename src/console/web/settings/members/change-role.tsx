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
import type { OrganizationMember } from './organization-member.ts';
import { parseRole, roleOptions } from './roles.ts';

export function ChangeRole({ user, onDone }: { user: OrganizationMember; onDone: () => void }) {
  const { person } = useViewer();
  const { refetch } = useSession();
  const { run, busy, fault, clear } = useGraphMutation(SetMemberRoleDocument, {
    invalidates: ['User', 'ApiKey'],
  });
  const [submitted, setSubmitted] = useState<FormData>();
  const toast = useToast();
  const [, go] = useLocation();
  const isSelf = user.id === person.id;

  const save = async (data: FormData) => {
    setSubmitted(data);
    const role = parseRole(data);
    if (!(await run({ userId: user.id, role }))) return;
    toast(`${displayName(user)} is ${role === 'ADMIN' ? 'an administrator' : 'a member'} now`);
    onDone();
    // This person can no longer open the pages for administrators.
    if (isSelf && role === 'MEMBER') {
      go('/');
      refetch();
    }
  };

  return (
    <>
      <Form label="Change role" onSubmit={save} fault={isNotRecent(fault) ? undefined : fault}>
        <SelectField
          label="Role"
          name="role"
          options={roleOptions}
          defaultValue={user.isAdmin ? 'ADMIN' : 'MEMBER'}
          hint={
            isSelf
              ? 'As a member you cannot change this back yourself.'
              : 'An administrator has the same permissions as you.'
          }
        />
        <FormButtons>
          <Button type="submit" kind="primary" busy={busy}>
            Save role
          </Button>
        </FormButtons>
      </Form>
      <ConfirmPassword
        fault={fault}
        onConfirmed={() => submitted && save(submitted)}
        onClose={clear}
      />
    </>
  );
}
