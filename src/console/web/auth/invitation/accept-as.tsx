import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { useSession } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Form, FormButtons } from '../../ui/form.tsx';
import { AcceptInvitationDocument } from './documents.ts';
import { isRefusal, Refused } from './refused.tsx';

type AcceptAsProps = { token: string; email: string; organizationName: string };

/**
 * For a person who is signed in with the invited address. The invitation is accepted only when they
 * press the button.
 */
export function AcceptAs({ token, email, organizationName }: AcceptAsProps) {
  const { choose } = useSession();
  const { run, busy, fault } = useGraphMutation(AcceptInvitationDocument);
  const accept = async () => {
    const result = await run({ token });
    if (result) choose(result.acceptInvitation.organization.id);
  };
  if (fault && isRefusal(fault)) return <Refused fault={fault} />;
  return (
    <Form label="Accept the invitation" onSubmit={accept} fault={fault}>
      <p>
        You are signed in as <strong>{email}</strong>.
      </p>
      <FormButtons>
        <Button type="submit" kind="primary" busy={busy}>
          Join {organizationName}
        </Button>
      </FormButtons>
    </Form>
  );
}
