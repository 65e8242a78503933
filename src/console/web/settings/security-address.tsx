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
      toast('We sent a link to your e-mail address');
  };
  return (
    <Card title="E-mail address">
      <p>
        {email} {isConfirmed ? <Badge tone="good">Confirmed</Badge> : <Badge>Not confirmed</Badge>}
      </p>
      {!isConfirmed && sendsMail && (
        <>
          <p className="quiet">
            A link in an e-mail confirms that the address is yours. After that you can also sign in
            with other sites.
          </p>
          {fault && <FaultNote fault={fault} />}
          <Button busy={busy} onClick={send}>
            Send link
          </Button>
        </>
      )}
    </Card>
  );
}
