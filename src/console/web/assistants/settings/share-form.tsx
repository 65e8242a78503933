import { useState } from 'react';
import type { ApiFault } from '../../graph/fault.ts';
import { useGraphMutation } from '../../graph/use-graph.ts';
import { t } from '../../texts/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { Options } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type AccessLevel, ShareAssistantDocument, type SharesQuery } from '../documents.ts';
import { levelOptions, levelsHint, parseLevel } from '../levels.ts';
import { useFocusAfterRemoval } from '../use-focus-after-removal.ts';
import { type Recipient, useRecipients } from './use-recipients.ts';

type ShareFormProps = {
  assistantId: string;
  shares: SharesQuery['assistant']['shares'];
  teams: SharesQuery['sharingTeams'];
};

type ChosenRecipient = Recipient & { level: AccessLevel };

/** Chooses people and teams by typing, each with a level, and shares the assistant with them. */
export function ShareForm({ assistantId, shares, teams }: ShareFormProps) {
  const { run, busy, fault, clear } = useGraphMutation(ShareAssistantDocument, {
    invalidates: ['Assistant', 'AssistantShare'],
  });
  const toast = useToast();
  const [chosen, setChosen] = useState<readonly ChosenRecipient[]>([]);
  const [refused, setRefused] = useState<Recipient>();
  const { container, onRemoved } = useFocusAfterRemoval(chosen);
  const { recipients, findsPeople, search, addressOf } = useRecipients({ shares, teams });
  const options = recipients.filter(({ key }) => chosen.every((each) => each.key !== key));

  const add = (key: string) => {
    clear();
    const recipient = options.find((each) => each.key === key) ?? addressOf(key);
    const level = chosen.at(-1)?.level ?? 'VIEW';
    if (recipient && chosen.every((each) => each.key !== recipient.key))
      setChosen([...chosen, { ...recipient, level }]);
  };
  const without = (key: string) => setChosen((all) => all.filter((each) => each.key !== key));
  /** Those who got their access disappear from the list; the first refusal ends it. */
  const share = async () => {
    setRefused(undefined);
    for (const recipient of chosen) {
      const { key, level, input } = recipient;
      if (!(await run({ assistantId, level, ...input }))) {
        setRefused(recipient);
        return;
      }
      without(key);
    }
    toast.show(t('sharing.shared'));
  };

  return (
    <Form
      onSubmit={share}
      action={{ busy, fault: faultFor(fault, refused) }}
      label={t('sharing.shareWithOthers')}
      className="assistants-share"
    >
      <h3>{t('sharing.shareWithOthers')}</h3>
      <Combobox
        label={t('sharing.recipients')}
        hint={t('sharing.recipientsHint', { findsPeople: findsPeople ? 'yes' : 'no' })}
        options={options.map(({ key, name }) => ({ value: key, label: name }))}
        value=""
        onValue={add}
        onSearch={search}
        otherHint={(text) => (addressOf(text) ? t('sharing.byAddress') : undefined)}
      />
      <div ref={container} tabIndex={-1}>
        {chosen.length > 0 && (
          <ul className="assistants-chosen plain-list" aria-label={t('sharing.chosen')}>
            {chosen.map(({ key, name, level }) => (
              <li key={key} className="spread">
                <span className="assistants-chosen-name">{name}</span>
                <span className="row">
                  <select
                    aria-label={t('sharing.levelFor', { name })}
                    className="assistants-level"
                    value={level}
                    onChange={({ target }) =>
                      setChosen(
                        chosen.map((each) =>
                          each.key === key ? { ...each, level: parseLevel(target.value) } : each,
                        ),
                      )
                    }
                  >
                    <Options options={levelOptions()} />
                  </select>
                  <IconButton
                    icon="close"
                    label={t('sharing.removeChosen', { name })}
                    onClick={() => {
                      clear();
                      without(key);
                      onRemoved();
                    }}
                  />
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
      <p className="hint">{levelsHint()}</p>
      <Button type="submit" busy={busy} disabled={chosen.length === 0}>
        {t('sharing.share')}
      </Button>
    </Form>
  );
}

/** Names the address that nobody has, or the recipient that was refused. */
function faultFor(fault: ApiFault | undefined, refused: Recipient | undefined) {
  if (!fault || !refused) return fault;
  const { name, input } = refused;
  const message =
    fault.code === 'NOT_FOUND' && input.email !== undefined
      ? t('sharing.noSuchPerson', { email: input.email })
      : t('sharing.refusedFor', { name, reason: fault.message });
  return { ...fault, message };
}
