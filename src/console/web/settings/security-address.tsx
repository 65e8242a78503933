import { useAuthCall } from '../session/auth-api.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { FaultNote } from '../ui/fault-note.tsx';
import { useToast } from '../ui/toast.tsx';

type SecurityAddressProps = { email: string; isConfirmed: boolean; sendsMail: boolean };

export function SecurityAddress({ email, isConfirmed, sendsMail }: SecurityAddressProps) {
  const { run, busy, fault } = useAuthCall('send-verification-email');
  const toast = useToast();
  const send = async () => {
    if (await run({ email, callbackPath: '/settings/security' }))
      toast('A link is on its way to your mailbox');
  };
  return (
    <Card title="E-mail address">
      <p>
        {email} {isConfirmed ? <Badge tone="good">Confirmed</Badge> : <Badge>Not confirmed</Badge>}
      </p>
      {!isConfirmed && sendsMail && (
        <>
          <p className="quiet">
            A link in a mail confirms that the address is yours. Then you can sign in with other
            sites as well.
          </p>
          {fault && <FaultNote fault={fault} />}
          <Button busy={busy} onClick={send}>
            Send me the link
          </Button>
        </>
      )}
    </Card>
  );
}
