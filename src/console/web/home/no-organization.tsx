import { useSession, useViewer } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';

/**
 * Somebody who has an account and no default organization: where they were added, and how else one
 * gets in.
 */
export function NoOrganization() {
  const { signOut, choose } = useSession();
  const { person, isPlatformSupport, memberships } = useViewer();
  return (
    <>
      <PageHead
        title="You are not in an organization yet"
        lead="Your account is ready. What is missing is a place to work in, and there are two ways to get one."
      />
      {isPlatformSupport && (
        <Notice>
          You work for the platform: what organizations are given is set over GraphQL, which the
          page Developers leads to.
        </Notice>
      )}
      <div className="cards">
        {memberships.length > 0 && (
          <Card title="Organizations that added you">
            <ul className="home-list">
              {memberships.map(({ organization: { id, name }, isAccepted }) => (
                <li key={id}>
                  <span className="home-name">{name}</span>
                  <Button onClick={() => choose(id)}>
                    {isAccepted ? 'Open' : 'Accept and open'}
                    <span className="sr-only"> {name}</span>
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
            Ask an administrator of your organization to invite this address. The link in the
            invitation lets you in.
          </p>
          <div className="secret">
            <code>{person.email}</code>
            <CopyButton text={person.email} label="Copy address" />
          </div>
          <p className="quiet">Is it waiting at another address? Then sign in with that one.</p>
          <Button onClick={signOut}>Use another account</Button>
        </Card>
        <Card title="Open a sponsored link">
          <p>
            A partner who sponsors Atrium gave you a link? Open it again in this browser: it makes a
            workspace of your own, and shows who pays for it and how long.
          </p>
        </Card>
      </div>
    </>
  );
}
