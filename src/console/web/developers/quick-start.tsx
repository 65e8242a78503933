import { useState } from 'react';
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
      title="Quick start"
      actions={
        <LinkButton href={usesUserKey ? '~/settings/keys' : '~/settings/organization-keys'}>
          Create key
        </LinkButton>
      }
    >
      <div className="toolbar">
        <SelectField
          label="Example"
          options={availableExamples.map(({ value, label }) => ({ value, label }))}
          value={language}
          onValue={setLanguage}
        />
        {assistants.length > 0 && (
          <Combobox
            label="Assistant"
            options={assistants.map(({ id, name }) => ({ value: id, label: name }))}
            value={assistantId}
            onValue={setAssistantId}
          />
        )}
      </div>
      {assistants.length === 0 && (
        <p className="quiet">
          You have no assistant yet. Replace ASSISTANT_ID with the ID of an assistant.
        </p>
      )}
      <CodeBlock
        label={`1. Set your ${usesUserKey ? 'user key' : 'organization key'}`}
        text={`export ATRIUM_KEY=${usesUserKey ? 'sk_svc_…' : 'sk_svc_um_…'}`}
      />
      {example && (
        <CodeBlock
          label="2. Send the request"
          text={example.textFor({ origin: location.origin, assistantId })}
        />
      )}
    </Card>
  );
}
