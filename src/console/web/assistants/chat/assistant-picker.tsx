import { useState } from 'react';
import { useGraphQuery } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { AssistantChoicesDocument } from '../documents.ts';

type AssistantPickerProps = {
  /** The assistant of this chat. */
  assistant: { id: string; name: string };
  /** Called with the id of another assistant. */
  onChosen: (assistantId: string) => void;
};

/** The name of the assistant, as a choice: first the favourites, then the others, by name. */
export function AssistantPicker({ assistant, onChosen }: AssistantPickerProps) {
  // Most people stay with the assistant, so the others are loaded when the choice is opened.
  const [search, setSearch] = useState<string>();
  const { data, fault } = useGraphQuery(
    AssistantChoicesDocument,
    { search: search || null },
    { pause: search === undefined, typenames: ['Assistant'] },
  );
  const found = [...(data?.favorites.nodes ?? []), ...(data?.others.nodes ?? [])];
  const current = { ...assistant, isFavorite: false };
  const choices = found.some(({ id }) => id === assistant.id) ? found : [current, ...found];
  return (
    <Combobox
      label={t('chat.assistant')}
      isLabelHidden
      options={choices.map(({ id, name, isFavorite }) => ({
        ...{ value: id, label: name },
        hint: isFavorite ? t('chat.favorite') : undefined,
      }))}
      value={assistant.id}
      error={fault?.message}
      onSearch={setSearch}
      onValue={(id) => {
        if (id !== assistant.id) onChosen(id);
      }}
    />
  );
}
