import { Dialog } from '../../ui/dialog.tsx';
import { OneTimeSecret } from '../../ui/one-time-secret.tsx';

export type Sent = { link: string; isMailed: boolean; invitation: { email: string } };

/** The link of an invitation, at the one moment when it is there to be copied. */
export function InvitationLink({
  sent: { link, isMailed, invitation },
  onClose,
}: {
  sent: Sent;
  onClose: () => void;
}) {
  return (
    <Dialog title="The invitation is made" open onClose={onClose}>
      <p>
        {isMailed
          ? `A mail with this link is on its way to ${invitation.email}. You can also hand it over yourself.`
          : `This Atrium sends no mail: hand this link to ${invitation.email} yourself.`}
      </p>
      <OneTimeSecret label="Link" secret={link} onDone={onClose}>
        <p className="quiet">It works once, for seven days.</p>
      </OneTimeSecret>
    </Dialog>
  );
}
