import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { displayName } from '../display-name.ts';
import { ChangeRole } from './change-role.tsx';
import { KeysOfAdministrator } from './keys-of-administrator.tsx';
import type { OrganizationMember } from './organization-member.ts';
import { RemoveMember } from './remove-member.tsx';

/** A dialog where an administrator changes the role of a member or removes them. */
export function MemberActions({ user }: { user: OrganizationMember }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        Manage<span className="sr-only"> {displayName(user)}</span>
      </Button>
      <Dialog title={displayName(user)} open={isOpen} onClose={close}>
        <ChangeRole user={user} onDone={close} />
        <KeysOfAdministrator user={user} />
        <RemoveMember user={user} onDone={close} />
      </Dialog>
    </>
  );
}
