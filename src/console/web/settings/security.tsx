import { useGraphQuery } from '../graph/use-graph-query.ts';
import { useViewer } from '../session/session.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { SecurityDocument } from './documents.ts';
import { SecondFactorCard } from './second-factor/second-factor-card.tsx';
import { SecurityAddress } from './security-address.tsx';
import { SecurityPassword } from './security-password.tsx';
import { SecuritySessions } from './security-sessions.tsx';

/** The security settings of a person: password, second factor, confirmed address, and sessions. */
export function Security() {
  const answer = useGraphQuery(SecurityDocument, {}, { typenames: ['Session'] });
  const { person, lacksSecondFactor } = useViewer();
  return (
    <>
      <PageHead title="Security" lead="How you sign in, and where you are signed in." />
      {lacksSecondFactor && (
        <Notice tone="bad">
          <p>
            <strong>A second factor is required here.</strong> Your organization or your role as
            platform support requires one. Set up an authenticator app or a passkey below to
            continue. If you belong to other organizations, you can choose one at the top.
          </p>
        </Notice>
      )}
      <Loaded answer={answer} lines={8}>
        {({ sessions, signInOptions, viewer }) => (
          <>
            <SecurityPassword
              email={person.email}
              hasPassword={viewer?.person?.hasPassword ?? true}
              sendsMail={signInOptions.mail}
            />
            <SecondFactorCard />
            <SecurityAddress
              email={person.email}
              isConfirmed={viewer?.person?.emailVerified ?? false}
              sendsMail={signInOptions.mail}
            />
            <SecuritySessions sessions={sessions} />
          </>
        )}
      </Loaded>
    </>
  );
}
