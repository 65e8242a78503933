import { useState } from 'react';
import { useGraphQuery } from '../graph/use-graph-query.ts';
import { useViewer } from '../session/session.tsx';
import { Badge, type StatusTone } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Pager } from '../ui/pager.tsx';
import { Table } from '../ui/table.tsx';
import { TextField } from '../ui/text-field.tsx';
import { Time } from '../ui/time.tsx';
import { formatBytes } from './amounts.ts';
import { VaultDocumentsDocument, type VaultDocumentsQuery } from './documents.ts';
import { FilesDisabled } from './files-disabled.tsx';
import { useDebounced } from './use-debounced.ts';

const pageSize = 20;
const refreshMs = 10_000;

/** All files of the organization, with their own state and their state in the vault. */
export function DocumentList() {
  const { features } = useViewer();
  const isEnabled = features.includes('assistantFiles');
  const [page, setPage] = useState(1);
  const [search, setSearch] = useState('');
  const debouncedSearch = useDebounced(search.trim());
  const answer = useGraphQuery(
    VaultDocumentsDocument,
    { page, pageSize, search: debouncedSearch || null },
    { refreshMs, pause: !isEnabled, typenames: ['AssistantFile'] },
  );
  if (!isEnabled) return <FilesDisabled />;
  return (
    <Card title="Documents">
      <search className="toolbar">
        <TextField
          label="File name"
          type="search"
          maxLength={200}
          value={search}
          onChange={({ target }) => {
            setSearch(target.value);
            setPage(1);
          }}
        />
      </search>
      <Loaded answer={answer} lines={8}>
        {({ vaultDocuments: { items, total } }) =>
          total === 0 ? (
            <NoDocuments isFiltered={debouncedSearch !== ''} />
          ) : (
            <>
              <Table
                caption="Files of all assistants"
                rows={items}
                keyOf={({ file }) => file.id}
                columns={columns}
              />
              <Pager page={page} pageSize={pageSize} total={total} onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

function NoDocuments({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title="No matching files" />;
  return (
    <EmptyState
      title="No files yet"
      action={<LinkButton href="~/assistants">Go to the assistants</LinkButton>}
    >
      Files that are uploaded to an assistant appear here.
    </EmptyState>
  );
}

type VaultDocument = VaultDocumentsQuery['vaultDocuments']['items'][number];

const fileTones: Record<VaultDocument['file']['processingStatus'], StatusTone> = {
  COMPLETED: 'good',
  FAILED: 'bad',
  PROCESSING: 'busy',
  PENDING: 'plain',
};
const fileLabels: Record<VaultDocument['file']['processingStatus'], string> = {
  COMPLETED: 'Completed',
  FAILED: 'Failed',
  PROCESSING: 'Processing',
  PENDING: 'Waiting',
};
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

const columns = [
  { title: 'File', cell: ({ file }: VaultDocument) => <strong>{file.originalName}</strong> },
  { title: 'Assistant', cell: ({ assistantName }: VaultDocument) => assistantName },
  {
    title: 'File state',
    cell: ({ file: { processingStatus, processingStage, processingError } }: VaultDocument) => (
      <span>
        <Badge tone={fileTones[processingStatus]}>{fileLabels[processingStatus]}</Badge>
        {processingStage && <span className="hint"> {processingStage.toLowerCase()}</span>}
        {processingError && <span className="hint"> {processingError.message}</span>}
      </span>
    ),
  },
  {
    title: 'In the vault',
    cell: (item: VaultDocument) => (
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
    align: 'end' as const,
    cell: ({ inVault }: VaultDocument) => inVault.passages?.toLocaleString() ?? '–',
  },
  {
    title: 'Size',
    align: 'end' as const,
    narrow: 'hide' as const,
    cell: ({ file }: VaultDocument) => formatBytes(file.size),
  },
  {
    title: 'Embedding',
    narrow: 'hide' as const,
    cell: ({ inVault }: VaultDocument) => <span className="hint">{inVault.embedding ?? '–'}</span>,
  },
];
