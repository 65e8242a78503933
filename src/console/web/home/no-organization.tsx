import { useSession, useViewer } from '../session/session.tsx';
import { Button, CopyButton } from '../ui/button.tsx';
import { Card, PageHead } from '../ui/page.tsx';
import { Notice } from '../ui/status.tsx';

/**
 * For a person without a default organization: the organizations that added them, and how to join
 * or create one.
 */
export function NoOrganization() {
  const { signOut, choose } = useSession();
  const { person, isPlatformSupport, memberships } = useViewer();
  return (
    <>
      <PageHead
        title="You are not in an organization yet"
        lead="Your account is ready. Join an organization, or open a sponsored link to create one."
      />
      {isPlatformSupport && (
        <Notice>
          You are platform support. Set the terms of organizations over GraphQL; the Developers page
          explains how.
        </Notice>
      )}
      <div className="cards">
        {memberships.length > 0 && (
          <Card title="Organizations that added you">
            <ul className="home-list plain-list">
              {memberships.map(({ organization: { id, name }, isAccepted }) => (
                <li key={id} className="spread">
                  <span className="home-name">{name}</span>
                  <Button subject={name} onClick={() => choose(id)}>
                    {isAccepted ? 'Open' : 'Accept and open'}
                  </Button>
                </li>
              ))}
            </ul>
            <p className="quiet">
              An organization sees your name and your last sign-in only after you accept. You can
              leave it in your profile.
            </p>
          </Card>
        )}
        <Card title="Join your organization">
          <p>
            Ask an administrator of your organization to invite this address. Then open the link in
            the invitation.
          </p>
          <div className="secret">
            <code>{person.email}</code>
            <CopyButton text={person.email} label="Copy address" />
          </div>
          <p className="quiet">
            If the invitation was sent to another address, sign in with that address.
          </p>
          <Button onClick={signOut}>Use another account</Button>
        </Card>
        <Card title="Open a sponsored link">
          <p>
            If a partner gave you a sponsored link, open it again in this browser. It creates your
            own workspace, and shows who pays for it and for how long.
          </p>
        </Card>
      </div>
    </>
  );
}
