import { useMemo, useState } from 'react';
import { useGraphQuery } from '../graph/use-graph.ts';
import { useViewer } from '../session/session.tsx';
import { t, withTexts } from '../texts/text.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { SelectField, TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { Card } from '../ui/page.tsx';
import { EmptyState, Loaded } from '../ui/status.tsx';
import {
  VaultAssistantsDocument,
  type VaultAssistantsQuery,
  VaultSearchDocument,
  type VaultSearchQueryVariables,
} from './documents.ts';
import { FilesDisabled } from './files-disabled.tsx';
import { SearchResult } from './search-result.tsx';

const modes = [
  { value: 'HYBRID', label: 'vault.keywordsAndVectors' },
  { value: 'KEYWORD', label: 'vault.keywordsOnly' },
  { value: 'VECTOR', label: 'vault.vectorsOnly' },
] as const;
const limits = ['3', '8', '20', '50'].map((value) => ({ value, label: value }));
const parseMode = (value: unknown) => modes.find((mode) => mode.value === value)?.value ?? 'HYBRID';

/** Assistants with the most files come first, because a search there finds something. */
const toOptions = (assistants: VaultAssistantsQuery['assistants']['nodes']) =>
  assistants
    .toSorted((left, right) => right.fileCount - left.fileCount)
    .map(({ id, name, fileCount }) => ({
      value: id,
      label: t('vault.assistantFiles', { name, fileCount }),
    }));

/**
 * Searches the files of an assistant like its runs do, and shows the score of each search stage.
 */
export function SearchPage() {
  const { features } = useViewer();
  const isEnabled = features.includes('ASSISTANT_FILES');
  const assistants = useGraphQuery(
    VaultAssistantsDocument,
    {},
    { pause: !isEnabled, typenames: ['Assistant'] },
  );
  const [searchInput, setSearchInput] = useState<VaultSearchQueryVariables>();
  if (!isEnabled) return <FilesDisabled />;
  return (
    <Loaded answer={assistants}>
      {(data) =>
        data.assistants.nodes.length === 0 ? (
          <EmptyState
            title={t('vault.noAssistants')}
            action={<LinkButton href="~/assistants">{t('vault.goToAssistants')}</LinkButton>}
          >
            {t('vault.noAssistantsHint')}
          </EmptyState>
        ) : (
          <>
            <Card title={t('vault.search')}>
              <Form
                label={t('vault.search')}
                onSubmit={(form) =>
                  setSearchInput({
                    assistantId: String(form.get('assistant')),
                    query: String(form.get('query')),
                    mode: parseMode(form.get('mode')),
                    limit: Number(form.get('limit')),
                  })
                }
              >
                <TextField
                  label={t('vault.query')}
                  name="query"
                  type="search"
                  required
                  maxLength={1000}
                  pattern=".*\S.*"
                  autoComplete="off"
                />
                <div className="toolbar">
                  <AssistantField assistants={data.assistants.nodes} />
                  <SelectField label={t('vault.mode')} name="mode" options={withTexts(modes)} />
                  <SelectField
                    label={t('vault.passages')}
                    name="limit"
                    options={limits}
                    defaultValue="8"
                  />
                  <Button icon="search" kind="primary" type="submit">
                    {t('vault.searchButton')}
                  </Button>
                </div>
              </Form>
            </Card>
            {searchInput && <SearchResults searchInput={searchInput} />}
          </>
        )
      }
    </Loaded>
  );
}

type AssistantFieldProps = { assistants: VaultAssistantsQuery['assistants']['nodes'] };

/** There can be many assistants, so the field finds them by their names. */
function AssistantField({ assistants }: AssistantFieldProps) {
  const options = useMemo(() => toOptions(assistants), [assistants]);
  const [chosen, setChosen] = useState(options[0]?.value ?? '');
  return (
    <>
      <Combobox label={t('vault.assistant')} options={options} value={chosen} onValue={setChosen} />
      <input type="hidden" name="assistant" value={chosen} />
    </>
  );
}

function SearchResults({ searchInput }: { searchInput: VaultSearchQueryVariables }) {
  const answer = useGraphQuery(VaultSearchDocument, searchInput);
  return (
    <section aria-label={t('vault.results')}>
      <Loaded answer={answer} lines={8}>
        {({ vaultSearch }) => <SearchResult query={searchInput.query} result={vaultSearch} />}
      </Loaded>
    </section>
  );
}
