import { useState } from 'react';
import { Card } from '../ui/card.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { CodeBlock } from './code-block.tsx';
import { examples } from './examples.ts';

type QuickStartProps = { assistants: readonly { id: string; name: string }[]; isAdmin: boolean };

/** A first call with this server's address and the reader's own assistant in it. */
export function QuickStart({ assistants, isAdmin }: QuickStartProps) {
  const [language, setLanguage] = useState('curl');
  const [assistantId, setAssistantId] = useState(assistants[0]?.id ?? 'ASSISTANT_ID');
  const offered = examples.filter(({ key }) => key === 'user' || isAdmin);
  const example = offered.find(({ value }) => value === language) ?? offered[0];
  const ofUser = example?.key !== 'organization';
  return (
    <Card
      title="Quick start"
      actions={
        <LinkButton href={ofUser ? '~/settings/keys' : '~/settings/organization-keys'}>
          Make a key
        </LinkButton>
      }
    >
      <div className="toolbar">
        <SelectField
          label="Example"
          options={offered.map(({ value, label }) => ({ value, label }))}
          value={language}
          onChange={({ target }) => setLanguage(target.value)}
        />
        {assistants.length > 0 && (
          <SelectField
            label="Assistant"
            options={assistants.map(({ id, name }) => ({ value: id, label: name }))}
            value={assistantId}
            onChange={({ target }) => setAssistantId(target.value)}
          />
        )}
      </div>
      {assistants.length === 0 && (
        <p className="quiet">
          You have no assistant yet: put the id of one in place of ASSISTANT_ID.
        </p>
      )}
      <CodeBlock
        label={`1. ${ofUser ? 'A key of your own' : 'A key of the organization'}, once`}
        text={`export ATRIUM_KEY=${ofUser ? 'sk_svc_…' : 'sk_svc_um_…'}`}
      />
      {example && (
        <CodeBlock
          label="2. The call"
          text={example.textFor({ origin: location.origin, assistantId })}
        />
      )}
    </Card>
  );
}
