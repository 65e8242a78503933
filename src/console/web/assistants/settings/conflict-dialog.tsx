import { useGraphQuery } from '../../graph/use-graph.ts';
import { richText, t } from '../../texts/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form.tsx';
import { Loaded } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { NewestVersionDocument, type NewestVersionQuery } from '../documents.ts';
import { Difference } from '../versions/difference-lazily.tsx';
import type { AssistantSettings } from '../versions/setting-texts.ts';

type ConflictDialogProps = {
  assistantId: string;
  mine: AssistantSettings;
  busy: boolean;
  /** Saves the person's settings, in place of those of the version with this number. */
  onKeepMine: (theirs: number) => void;
  onTakeTheirs: (theirs: AssistantSettings & { version: number }) => void;
  onClose: () => void;
};

/** Shown when somebody else has changed an assistant since the person read it. */
export function ConflictDialog({
  assistantId,
  mine,
  busy,
  onKeepMine,
  onTakeTheirs,
  onClose,
}: ConflictDialogProps) {
  const answer = useGraphQuery(NewestVersionDocument, { assistantId });
  return (
    <Dialog title={t('versions.changedMeanwhile')} open wide onClose={onClose}>
      <Loaded answer={answer} lines={4}>
        {({ assistantVersions: { nodes } }) =>
          nodes.map((theirs) => (
            <div key={theirs.id}>
              <p>
                {richText('versions.conflictHint', {
                  author: theirs.authorName ?? t('versions.somebody'),
                  number: theirs.number,
                  time: () => <Time at={theirs.createdAt} style="moment" />,
                })}
              </p>
              <Difference before={theirs} after={mine} />
              <FormButtons>
                <Button onClick={onClose}>{t('ui.cancel')}</Button>
                <Button onClick={() => onTakeTheirs(settingsOf(theirs))}>
                  {t('versions.takeTheirs')}
                </Button>
                <Button kind="primary" busy={busy} onClick={() => onKeepMine(theirs.number)}>
                  {t('versions.keepMine')}
                </Button>
              </FormButtons>
            </div>
          ))
        }
      </Loaded>
    </Dialog>
  );
}

type Theirs = NewestVersionQuery['assistantVersions']['nodes'][number];

const settingsOf = ({ id, createdAt, authorName, number: version, ...settings }: Theirs) => ({
  ...settings,
  version,
});
