import { fileText } from '../graph/code-text.ts';
import { partOf, useGraphQuery } from '../graph/use-graph.ts';
import { useViewer } from '../session/session.tsx';
import type { PlainKey } from '../texts/catalogue.ts';
import { formatNumber } from '../texts/format.ts';
import { t } from '../texts/text.ts';
import { LinkButton } from '../ui/button.tsx';
import { SearchField } from '../ui/fields.tsx';
import { fileStates, formatBytes, stageLabels } from '../ui/labels.ts';
import { ListFilters } from '../ui/list-filters.tsx';
import { Card } from '../ui/page.tsx';
import { Badge, EmptyState, type StatusTone } from '../ui/status.tsx';
import { PagedTable, type TableColumn } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { useFilter } from '../ui/use-filter.ts';
import { VaultDocumentsDocument, type VaultDocumentsQuery } from './documents.ts';
import { FilesDisabled } from './files-disabled.tsx';

const pageSize = 20;
const refreshMs = 10_000;

/** All files of the organization, with their own state and their state in the vault. */
export function DocumentList() {
  const { features } = useViewer();
  const isEnabled = features.includes('ASSISTANT_FILES');
  const { filter, page, set, setPage } = useFilter(['search']);
  const { search = '' } = filter;
  const answer = useGraphQuery(
    VaultDocumentsDocument,
    { page, pageSize, search: search || null },
    { refreshMs, pause: !isEnabled, typenames: ['AssistantFile'] },
  );
  if (!isEnabled) return <FilesDisabled />;
  const listed = partOf(answer, ({ vaultDocuments }) => vaultDocuments);
  return (
    <Card title={t('vault.documents')}>
      <ListFilters answer={listed} isFiltered={search !== ''}>
        <SearchField
          label={t('vault.fileName')}
          value={search}
          onSearch={(text) => set('search', text)}
        />
      </ListFilters>
      <PagedTable
        caption={t('vault.filesCaption')}
        answer={listed}
        keyOf={({ file }) => file.id}
        page={page}
        pageSize={pageSize}
        onPage={setPage}
        lines={8}
        empty={
          search === '' ? (
            <EmptyState
              title={t('vault.noFiles')}
              action={<LinkButton href="~/assistants">{t('vault.goToAssistants')}</LinkButton>}
            >
              {t('vault.noFilesHint')}
            </EmptyState>
          ) : (
            <EmptyState title={t('vault.noMatchingFiles')} />
          )
        }
        columns={columns()}
      />
    </Card>
  );
}

type VaultDocument = VaultDocumentsQuery['vaultDocuments']['nodes'][number];

const vaultTones: Record<VaultDocument['inVault']['state'], StatusTone> = {
  FOUND: 'good',
  PREVIOUS: 'busy',
  MISSING: 'plain',
  UNKNOWN: 'plain',
};
const vaultLabels: Record<VaultDocument['inVault']['state'], PlainKey> = {
  FOUND: 'vault.searchable',
  PREVIOUS: 'vault.previousVersion',
  MISSING: 'vault.notStored',
  UNKNOWN: 'vault.unknown',
};

/**
 * A completed file that the vault does not contain is lost. This is the only state that needs
 * attention.
 */
const isLost = ({ file, inVault }: VaultDocument): boolean =>
  file.processingStatus === 'COMPLETED' && inVault.state === 'MISSING';

const columns = (): readonly TableColumn<VaultDocument>[] => [
  { title: t('vault.file'), cell: ({ file }) => <strong>{file.originalName}</strong> },
  {
    title: t('vault.assistant'),
    cell: ({ assistantName }) => <span className="whole-words">{assistantName}</span>,
  },
  {
    title: t('vault.fileState'),
    cell: ({ file: { processingStatus, processingStage, processingError } }) => (
      <span>
        <Badge tone={fileStates[processingStatus].tone}>
          {t(fileStates[processingStatus].label)}
        </Badge>
        {processingStage && <span className="hint"> {t(stageLabels[processingStage])}</span>}
        {processingError && <span className="hint"> {fileText(processingError)}</span>}
      </span>
    ),
  },
  {
    title: t('vault.inVault'),
    cell: (item) => (
      <span>
        <Badge tone={isLost(item) ? 'bad' : vaultTones[item.inVault.state]}>
          {isLost(item) ? t('vault.lost') : t(vaultLabels[item.inVault.state])}
        </Badge>
        {isLost(item) && <span className="hint"> {t('vault.processedAgain')}</span>}
        {item.inVault.updatedAt && (
          <span className="hint">
            {' '}
            <Time at={item.inVault.updatedAt} style="ago" />
          </span>
        )}
      </span>
    ),
  },
  {
    title: t('vault.passages'),
    align: 'end',
    cell: ({ inVault }) => (inVault.passages === null ? '–' : formatNumber(inVault.passages)),
  },
  {
    title: t('vault.size'),
    align: 'end',
    narrow: 'hide',
    cell: ({ file }) => formatBytes(file.size),
  },
  {
    title: t('vault.embedding'),
    narrow: 'hide',
    cell: ({ inVault }) => <span className="hint whole-words">{inVault.embedding ?? '–'}</span>,
  },
];
