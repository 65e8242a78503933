import { useState } from 'react';
import { t, withTexts } from '../texts/text.ts';
import { LinkButton } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { SelectField } from '../ui/fields.tsx';
import { Card } from '../ui/page.tsx';
import { examples } from './examples.ts';

type QuickStartProps = { assistants: readonly { id: string; name: string }[]; isAdmin: boolean };

/** A first call that contains this server's address and one of the person's assistants. */
export function QuickStart({ assistants, isAdmin }: QuickStartProps) {
  const [language, setLanguage] = useState('curl');
  const [assistantId, setAssistantId] = useState(assistants[0]?.id ?? 'ASSISTANT_ID');
  const availableExamples = examples.filter(({ key }) => key === 'user' || isAdmin);
  const example = availableExamples.find(({ value }) => value === language) ?? availableExamples[0];
  const usesUserKey = example?.key !== 'organization';
  return (
    <Card
      title={t('developers.quickStart')}
      actions={
        <LinkButton href={usesUserKey ? '~/settings/keys' : '~/settings/organization-keys'}>
          {t('developers.createKey')}
        </LinkButton>
      }
    >
      <div className="toolbar">
        <SelectField
          label={t('developers.example')}
          options={withTexts(availableExamples)}
          value={language}
          onValue={setLanguage}
        />
        {assistants.length > 0 && (
          <Combobox
            label={t('developers.assistant')}
            options={assistants.map(({ id, name }) => ({ value: id, label: name }))}
            value={assistantId}
            onValue={setAssistantId}
          />
        )}
      </div>
      {assistants.length === 0 && <p className="quiet">{t('developers.noAssistant')}</p>}
      <CodeBlock
        label={t('developers.setKey', { key: usesUserKey ? 'user' : 'organization' })}
        text={`export ATRIUM_KEY=${usesUserKey ? 'sk_svc_…' : 'sk_svc_um_…'}`}
      />
      {example && (
        <CodeBlock
          label={t('developers.sendRequest')}
          text={example.textFor({ origin: location.origin, assistantId })}
        />
      )}
    </Card>
  );
}
