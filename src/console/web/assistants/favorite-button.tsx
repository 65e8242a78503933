import { useGraphMutation } from '../graph/use-graph.ts';
import { t } from '../texts/text.ts';
import { IconButton } from '../ui/button.tsx';
import { FaultNote } from '../ui/status.tsx';
import { SetAssistantFavoriteDocument } from './documents.ts';

type FavoriteButtonProps = {
  assistant: { id: string; name: string; isFavorite: boolean };
  /** Called after the assistant is no longer a favourite. */
  onRemoved?: () => void;
};

/** Marks an assistant as a favourite of the person, or no longer. */
export function FavoriteButton({
  assistant: { id, name, isFavorite },
  onRemoved,
}: FavoriteButtonProps) {
  const { run, busy, fault } = useGraphMutation(SetAssistantFavoriteDocument);
  const label = t('assistants.favoriteOf', { name });
  const toggle = async () => {
    if (busy) return;
    const isDone = await run({ assistantId: id, isFavorite: !isFavorite });
    if (isDone && isFavorite) onRemoved?.();
  };
  return (
    <>
      <IconButton
        className="favorite-button"
        icon="star"
        label={label}
        title={label}
        aria-pressed={busy ? !isFavorite : isFavorite}
        onClick={toggle}
      />
      <FaultNote fault={fault} />
    </>
  );
}
