import { Dialog } from '../../ui/dialog.tsx';
import { OneTimeSecret } from '../../ui/one-time-secret.tsx';

export type SentInvitation = { link: string; isMailed: boolean; invitation: { email: string } };

/** Shows the link of an invitation once, right after it was created. */
export function InvitationLink({
  sent: { link, isMailed, invitation },
  onClose,
}: {
  sent: SentInvitation;
  onClose: () => void;
}) {
  return (
    <Dialog title="Invitation created" open onClose={onClose}>
      <p>
        {isMailed
          ? `We sent this link to ${invitation.email}. You can also pass it on yourself.`
          : `This server cannot send e-mail. Send this link to ${invitation.email} yourself.`}
      </p>
      <OneTimeSecret label="Link" secret={link} onDone={onClose}>
        <p className="quiet">It works once and is valid for seven days.</p>
      </OneTimeSecret>
    </Dialog>
  );
}
