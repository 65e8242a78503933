import { useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph.ts';
import { useViewer } from '../../session/session.tsx';
import { t } from '../../texts/text.ts';
import { displayName } from '../../ui/labels.ts';
import { type SharesQuery, SharingPeopleDocument } from '../documents.ts';

/** Somebody that an assistant can be shared with. */
export type Recipient = {
  key: string;
  name: string;
  input: { userId?: string; teamId?: string; email?: string };
};

type Person = { firstName: string; lastName: string; email: string };

export function personName(person: Person): string {
  const name = displayName(person);
  return name === person.email ? name : `${name} (${person.email})`;
}

// One letter is in nearly every name.
const searchLengthMin = 2;
const addressPattern = /^[^\s@]+@[^\s@]+$/;

/**
 * Whom an assistant can be shared with besides those who have it. Administrators find people by
 * their names; others type the address, because they may not list the members.
 */
export function useRecipients({
  shares,
  teams,
}: {
  shares: SharesQuery['assistant']['shares'];
  teams: SharesQuery['sharingTeams'];
}) {
  const { isAdmin } = useViewer();
  const [text, setText] = useState('');
  const { data } = useGraphQuery(
    SharingPeopleDocument,
    { search: text },
    { pause: !isAdmin || text.length < searchLengthMin, typenames: ['User'] },
  );
  const all: Recipient[] = [
    ...(data?.users.nodes.map((user) => ({
      ...{ key: user.id, name: personName(user), input: { userId: user.id } },
    })) ?? []),
    ...teams.map(({ id, name }) => ({
      ...{ key: id, name: t('sharing.teamName', { name }), input: { teamId: id } },
    })),
    { key: 'everybody', name: t('sharing.everybodyInOrganization'), input: {} },
  ];
  const shared = new Set(shares.map(({ user, team }) => user?.id ?? team?.id ?? 'everybody'));
  const recipients = all.filter(({ key }) => !shared.has(key));
  /** The member with this address, unless an option or a share is this member. */
  const addressOf = (typed: string): Recipient | undefined => {
    const email = typed.trim();
    const isKnown =
      data?.users.nodes.some((user) => user.email === email) ||
      shares.some(({ user }) => user?.email === email);
    return addressPattern.test(email) && !isKnown
      ? { key: email, name: email, input: { email } }
      : undefined;
  };
  return { recipients, addressOf, search: setText, findsPeople: isAdmin };
}
