import { useState } from 'react';
import { useGraphQuery } from '../graph/use-graph-query.ts';
import { useViewer } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Form } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import {
  VaultAssistantsDocument,
  type VaultAssistantsQuery,
  VaultSearchDocument,
  type VaultSearchQueryVariables,
} from './documents.ts';
import { FilesDisabled } from './files-disabled.tsx';
import { SearchResult } from './search-result.tsx';

const modes = [
  { value: 'hybrid', label: 'Words and vectors' },
  { value: 'keyword', label: 'Words alone' },
  { value: 'vector', label: 'Vectors alone' },
] as const;
const limits = ['3', '8', '20', '50'].map((value) => ({ value, label: value }));
const modeOf = (value: unknown) => modes.find((mode) => mode.value === value)?.value ?? 'hybrid';

/** Those with the most files come first: there is something to be found. */
const optionsOf = (assistants: VaultAssistantsQuery['assistants']) =>
  assistants
    .toSorted((one, other) => other.fileCount - one.fileCount)
    .map(({ id, name, fileCount }) => ({
      value: id,
      label: `${name} (${fileCount === 1 ? '1 file' : `${fileCount.toLocaleString()} files`})`,
    }));

/**
 * Asks the files of an assistant as its runs do, and shows what every stage made of each passage.
 */
export function SearchPage() {
  const { features } = useViewer();
  const isOn = features.includes('assistantFiles');
  const assistants = useGraphQuery(
    VaultAssistantsDocument,
    {},
    { pause: !isOn, typenames: ['Assistant'] },
  );
  const [asked, setAsked] = useState<VaultSearchQueryVariables>();
  if (!isOn) return <FilesDisabled />;
  return (
    <Loaded answer={assistants}>
      {(data) =>
        data.assistants.length === 0 ? (
          <EmptyState
            title="There is no assistant whose files you may search"
            action={<LinkButton href="~/assistants">Go to the assistants</LinkButton>}
          >
            Make one, or let its owner share it with you.
          </EmptyState>
        ) : (
          <>
            <Card title="Search">
              <Form
                label="Search"
                onSubmit={(form) =>
                  setAsked({
                    assistantId: String(form.get('assistant')),
                    query: String(form.get('query')),
                    mode: modeOf(form.get('mode')),
                    limit: Number(form.get('limit')),
                  })
                }
              >
                <TextField
                  label="Question"
                  name="query"
                  type="search"
                  required
                  maxLength={1000}
                  pattern=".*\S.*"
                  autoComplete="off"
                />
                <div className="toolbar">
                  <SelectField
                    label="Assistant"
                    name="assistant"
                    options={optionsOf(data.assistants)}
                  />
                  <SelectField label="By" name="mode" options={modes} />
                  <SelectField label="Passages" name="limit" options={limits} defaultValue="8" />
                  <Button kind="primary" type="submit">
                    <Icon name="search" /> Search
                  </Button>
                </div>
              </Form>
            </Card>
            {asked && <Found asked={asked} />}
          </>
        )
      }
    </Loaded>
  );
}

function Found({ asked }: { asked: VaultSearchQueryVariables }) {
  const answer = useGraphQuery(VaultSearchDocument, asked);
  return (
    <section aria-label="What was found">
      <Loaded answer={answer} lines={8}>
        {({ vaultSearch }) => <SearchResult query={asked.query} found={vaultSearch} />}
      </Loaded>
    </section>
  );
}
