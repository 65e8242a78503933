import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { displayName } from '../display-name.ts';
import { ChangeRole } from './change-role.tsx';
import type { MembersQuery } from './documents.ts';
import { KeysOfAdministrator } from './keys-of-administrator.tsx';
import { RemoveMember } from './remove-member.tsx';

export type Member = MembersQuery['users']['items'][number];

/** What an administrator can do with a member. */
export function MemberActions({ user }: { user: Member }) {
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
