import { partOf, useGraphQuery } from '../graph/use-graph.ts';
import { useViewer } from '../session/session.tsx';
import { LinkButton } from '../ui/button.tsx';
import { SearchField } from '../ui/fields.tsx';
import { fileStates, formatBytes, stageLabels } from '../ui/labels.ts';
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
  return (
    <Card title="Documents">
      <search className="toolbar">
        <SearchField label="File name" value={search} onSearch={(text) => set('search', text)} />
      </search>
      <PagedTable
        caption="Files of all assistants"
        answer={partOf(answer, ({ vaultDocuments }) => vaultDocuments)}
        keyOf={({ file }) => file.id}
        page={page}
        pageSize={pageSize}
        onPage={setPage}
        lines={8}
        empty={
          search === '' ? (
            <EmptyState
              title="No files yet"
              action={<LinkButton href="~/assistants">Go to the assistants</LinkButton>}
            >
              Files that are uploaded to an assistant appear here.
            </EmptyState>
          ) : (
            <EmptyState title="No matching files" />
          )
        }
        columns={columns}
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
const vaultLabels: Record<VaultDocument['inVault']['state'], string> = {
  FOUND: 'Searchable',
  PREVIOUS: 'Previous version',
  MISSING: 'Not stored',
  UNKNOWN: 'Unknown',
};

/**
 * A completed file that the vault does not contain is lost. This is the only state that needs
 * attention.
 */
const isLost = ({ file, inVault }: VaultDocument): boolean =>
  file.processingStatus === 'COMPLETED' && inVault.state === 'MISSING';

const columns: readonly TableColumn<VaultDocument>[] = [
  { title: 'File', cell: ({ file }) => <strong>{file.originalName}</strong> },
  { title: 'Assistant', cell: ({ assistantName }) => assistantName },
  {
    title: 'File state',
    cell: ({ file: { processingStatus, processingStage, processingError } }) => (
      <span>
        <Badge tone={fileStates[processingStatus].tone}>{fileStates[processingStatus].label}</Badge>
        {processingStage && <span className="hint"> {stageLabels[processingStage]}</span>}
        {processingError && <span className="hint"> {processingError.message}</span>}
      </span>
    ),
  },
  {
    title: 'In the vault',
    cell: (item) => (
      <span>
        <Badge tone={isLost(item) ? 'bad' : vaultTones[item.inVault.state]}>
          {isLost(item) ? 'Lost' : vaultLabels[item.inVault.state]}
        </Badge>
        {isLost(item) && <span className="hint"> Atrium processes it again at the next start</span>}
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
    title: 'Passages',
    align: 'end',
    cell: ({ inVault }) => inVault.passages?.toLocaleString() ?? '–',
  },
  { title: 'Size', align: 'end', narrow: 'hide', cell: ({ file }) => formatBytes(file.size) },
  {
    title: 'Embedding',
    narrow: 'hide',
    cell: ({ inVault }) => <span className="hint">{inVault.embedding ?? '–'}</span>,
  },
];
