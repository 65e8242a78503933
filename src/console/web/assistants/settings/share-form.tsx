import { useState } from 'react';
import { useGraphMutation } from '../../graph/use-graph-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type AccessLevel, ShareAssistantDocument } from '../documents.ts';
import { levelOptions, levelsHint } from './level-options.ts';

type SharingTeam = { id: string; name: string };

const kinds = [
  { value: 'person', label: 'A person' },
  { value: 'team', label: 'A team' },
  { value: 'everybody', label: 'Everybody' },
];

export function ShareForm({
  assistantId,
  teams,
}: {
  assistantId: string;
  teams: readonly SharingTeam[];
}) {
  const { run, busy, fault, clear } = useGraphMutation(ShareAssistantDocument, {
    invalidates: ['Assistant', 'AssistantShare'],
  });
  const toast = useToast();
  const [kind, setKind] = useState('person');
  const [level, setLevel] = useState<AccessLevel>('VIEW');
  const [email, setEmail] = useState('');
  const [teamId, setTeamId] = useState(teams[0]?.id ?? '');

  const share = async () => {
    const recipient =
      kind === 'person' ? { email: email.trim() } : kind === 'team' ? { teamId } : {};
    if (!(await run({ assistantId, level, ...recipient }))) return;
    setEmail('');
    toast('Shared');
  };
  const shownFault =
    fault?.code === 'NOT_FOUND' && kind === 'person'
      ? {
          ...fault,
          message: `Nobody in the organization has the address ${email.trim()}. Check it, or ask an administrator to invite them.`,
        }
      : fault;

  return (
    <Form
      onSubmit={share}
      fault={shownFault}
      label="Share with others"
      className="assistants-share"
    >
      <h3>Share with others</h3>
      <div className="toolbar">
        <SelectField
          label="With"
          options={teams.length > 0 ? kinds : kinds.filter(({ value }) => value !== 'team')}
          value={kind}
          onChange={({ target }) => {
            clear();
            setKind(target.value);
          }}
        />
        {kind === 'person' && (
          <TextField
            label="E-mail address"
            type="email"
            required
            autoComplete="off"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        )}
        {kind === 'team' && (
          <SelectField
            label="Team"
            options={teams.map(({ id, name }) => ({ value: id, label: name }))}
            value={teamId}
            onChange={({ target }) => setTeamId(target.value)}
          />
        )}
        <SelectField
          label="Level"
          options={levelOptions}
          value={level}
          onChange={({ target }) =>
            setLevel(levelOptions.find(({ value }) => value === target.value)?.value ?? 'VIEW')
          }
        />
        <Button type="submit" busy={busy}>
          Share
        </Button>
      </div>
      <p className="hint">{levelsHint}</p>
    </Form>
  );
}
