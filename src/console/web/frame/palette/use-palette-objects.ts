import { useEffect, useState } from 'react';
import type { ApiFault } from '../../graph/fault.ts';
import { useGraphQuery } from '../../graph/use-graph.ts';
import { useViewer } from '../../session/session.tsx';
import { t } from '../../texts/text.ts';
import { displayName } from '../../ui/labels.ts';
import {
  FavoriteAssistantsDocument,
  PaletteObjectsDocument,
  type PaletteObjectsQuery,
} from './documents.ts';
import { matchingGroups, type PaletteEntry, type PaletteGroup } from './palette-entries.ts';

// Longer than the pause between two keys, and short enough to feel immediate.
const debounceMs = 250;
// One letter is in nearly every name.
const searchLengthMin = 2;

/** The favourite assistants of the person. */
export function useFavorites(): readonly PaletteEntry[] {
  const { organization } = useViewer();
  const { data } = useGraphQuery(
    FavoriteAssistantsDocument,
    {},
    { pause: organization === null, typenames: ['Assistant'] },
  );
  return data?.assistants.nodes.map((node) => assistantEntry(node, 'star')) ?? noEntries;
}

const noEntries: readonly PaletteEntry[] = [];

const assistantEntry = (
  { id, name }: { id: string; name: string },
  icon: 'star' | 'sparkle',
): PaletteEntry => ({ ...{ id, label: name, icon, target: `/assistants/${id}` } });

type FoundObjects = {
  groups: readonly PaletteGroup[];
  fault: ApiFault | undefined;
  isSearching: boolean;
};

/** The objects of the organization that a text finds, after the person has paused typing. */
export function usePaletteObjects(typed: string): FoundObjects {
  const { organization, isAdmin, features } = useViewer();
  const text = typed.trim();
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  const isWanted = organization !== null && text.length >= searchLengthMin;
  const isAdministrator = organization !== null && isAdmin;
  const { data, fault, loading } = useGraphQuery(
    PaletteObjectsDocument,
    {
      search,
      withPeople: isAdministrator,
      withCampaigns: isAdministrator && features.includes('PARTNER_SPONSORSHIP'),
    },
    { pause: !isWanted || search.length < searchLengthMin },
  );
  if (!isWanted) return { groups: [], fault: undefined, isSearching: false };
  const isSearching = loading || search !== text;
  const groups = data ? groupsOf(data) : [];
  // Until the answer is there, those of the previous one stay that still match.
  return { groups: isSearching ? matchingGroups(groups, text) : groups, fault, isSearching };
}

const groupsOf = ({
  assistants,
  conversations,
  campaigns,
  users,
  teams,
}: PaletteObjectsQuery): PaletteGroup[] => [
  {
    title: t('palette.assistants'),
    entries: assistants.nodes.map((node) => assistantEntry(node, 'sparkle')),
  },
  {
    title: t('palette.conversations'),
    entries: conversations.nodes.map(
      ({ id, title, assistantId, assistant }): PaletteEntry => ({
        ...{ id, icon: 'chat', target: `/assistants/${assistantId}/c/${id}` },
        ...{ label: title ?? t('palette.newConversation'), hint: assistant?.name },
      }),
    ),
  },
  {
    title: t('palette.campaigns'),
    entries: (campaigns?.nodes ?? []).map(
      ({ id, name }): PaletteEntry => ({
        ...{ id, label: name, icon: 'sparkle', target: `/sponsorship/campaigns/${id}` },
      }),
    ),
  },
  {
    title: t('palette.people'),
    entries: (users?.nodes ?? []).map((user): PaletteEntry => {
      const { id, email } = user;
      const target = `/settings/members?search=${encodeURIComponent(email)}`;
      return { id, label: displayName(user), hint: email, icon: 'user', target };
    }),
  },
  {
    title: t('palette.teams'),
    entries: (teams?.nodes ?? []).map(
      ({ id, name }): PaletteEntry => ({
        ...{ id, label: name, icon: 'users', target: `/settings/teams/${id}` },
      }),
    ),
  },
];
