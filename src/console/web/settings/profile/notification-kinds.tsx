import { useState } from 'react';
import { useGraphMutation, useGraphQuery } from '../../graph/use-graph.ts';
import { useViewer } from '../../session/session.tsx';
import { t } from '../../texts/text.ts';
import { CheckField } from '../../ui/fields.tsx';
import { notificationLabels } from '../../ui/notification-labels.ts';
import { Card } from '../../ui/page.tsx';
import { FaultNote, Loaded } from '../../ui/status.tsx';
import {
  MutedNotificationsDocument,
  MuteNotificationsDocument,
  type NotificationKind,
} from './documents.ts';

const ofEverybody: NotificationKind[] = [
  'FILE_FAILED',
  'RUN_ENDED',
  'ASSISTANT_SHARED',
  'FEEDBACK_SHARED',
  'KEY_EXPIRES',
];
const ofAdministrators: NotificationKind[] = [
  'ORGANIZATION_KEY_EXPIRES',
  'INVITATION_ACCEPTED',
  'BUDGET_REACHED',
  'WEBHOOK_FAILED',
];

/** A switch for each kind of notification. */
export function NotificationKinds() {
  const { memberships, features } = useViewer();
  const answer = useGraphQuery(MutedNotificationsDocument, {});
  const { run, fault } = useGraphMutation(MuteNotificationsDocument);
  // A switch changes at once, and back if the choice could not be stored.
  const [chosen, setChosen] = useState<ReadonlyMap<NotificationKind, boolean>>(new Map());
  const choose = async (kind: NotificationKind, isOn: boolean) => {
    setChosen((before) => new Map(before).set(kind, isOn));
    if (!(await run({ kind, isMuted: !isOn })))
      setChosen((before) => new Map([...before].filter(([name]) => name !== kind)));
  };
  const isAdministrator = memberships.some(({ isAdmin }) => isAdmin);
  const kinds: NotificationKind[] = [
    ...ofEverybody,
    ...(isAdministrator ? ofAdministrators : []),
    ...(isAdministrator && features.includes('PARTNER_SPONSORSHIP')
      ? (['REDEMPTION_ENDS'] as const)
      : []),
  ];
  return (
    <Card title={t('notifications.kinds')}>
      <p>{t('notifications.kindsHint')}</p>
      <FaultNote fault={fault} />
      <Loaded answer={answer}>
        {({ viewer }) => (
          <fieldset className="settings-choices">
            <legend className="sr-only">{t('notifications.kinds')}</legend>
            {kinds.map((kind) => (
              <CheckField
                key={kind}
                label={t(notificationLabels[kind])}
                checked={
                  chosen.get(kind) ?? viewer?.person?.mutedNotifications.includes(kind) === false
                }
                onChange={({ target }) => void choose(kind, target.checked)}
              />
            ))}
          </fieldset>
        )}
      </Loaded>
    </Card>
  );
}
