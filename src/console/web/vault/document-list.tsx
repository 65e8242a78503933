import { useState } from 'react';
import { useGraphQuery } from '../graph/use-graph-query.ts';
import { useViewer } from '../session/session.tsx';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Pager } from '../ui/pager.tsx';
import { Table } from '../ui/table.tsx';
import { TextField } from '../ui/text-field.tsx';
import { Time } from '../ui/time.tsx';
import { bytesOf } from './amounts.ts';
import { VaultDocumentsDocument, type VaultDocumentsQuery } from './documents.ts';
import { FilesDisabled } from './files-disabled.tsx';
import { useDebounced } from './use-debounced.ts';

const pageSize = 20;
const refreshMs = 10_000;

/** Every file of the organization, and beside its own state what the vault holds of it. */
export function DocumentList() {
  const { features } = useViewer();
  const isOn = features.includes('assistantFiles');
  const [page, setPage] = useState(1);
  const [search, setSearch] = useState('');
  const wanted = useDebounced(search.trim());
  const answer = useGraphQuery(
    VaultDocumentsDocument,
    { page, pageSize, search: wanted || null },
    { refreshMs, pause: !isOn, typenames: ['AssistantFile'] },
  );
  if (!isOn) return <FilesDisabled />;
  return (
    <Card title="Documents">
      <search className="toolbar">
        <TextField
          label="Name of the file"
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
            <Nothing isFiltered={wanted !== ''} />
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

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title="No file has such a name" />;
  return (
    <EmptyState
      title="No files yet"
      action={<LinkButton href="~/assistants">Go to the assistants</LinkButton>}
    >
      What is uploaded to an assistant shows here.
    </EmptyState>
  );
}

type Item = VaultDocumentsQuery['vaultDocuments']['items'][number];

const fileTones: Record<Item['file']['processingStatus'], Tone> = {
  COMPLETED: 'good',
  FAILED: 'bad',
  PROCESSING: 'busy',
  PENDING: 'plain',
};
const fileWords: Record<Item['file']['processingStatus'], string> = {
  COMPLETED: 'Done',
  FAILED: 'Failed',
  PROCESSING: 'At work',
  PENDING: 'Waiting',
};
const vaultTones: Record<Item['inVault']['state'], Tone> = {
  FOUND: 'good',
  PREVIOUS: 'busy',
  MISSING: 'plain',
  UNKNOWN: 'plain',
};
const vaultWords: Record<Item['inVault']['state'], string> = {
  FOUND: 'Searchable',
  PREVIOUS: 'Version before',
  MISSING: 'Not there',
  UNKNOWN: 'Not known',
};

/** Done, and yet not to be found: that is a loss, and the only state that calls for somebody. */
const isLost = ({ file, inVault }: Item): boolean =>
  file.processingStatus === 'COMPLETED' && inVault.state === 'MISSING';

const columns = [
  { title: 'File', cell: ({ file }: Item) => <strong>{file.originalName}</strong> },
  { title: 'Assistant', cell: ({ assistantName }: Item) => assistantName },
  {
    title: 'File state',
    cell: ({ file: { processingStatus, processingStage, processingError } }: Item) => (
      <span>
        <Badge tone={fileTones[processingStatus]}>{fileWords[processingStatus]}</Badge>
        {processingStage && <span className="hint"> {processingStage.toLowerCase()}</span>}
        {processingError && <span className="hint"> {processingError.message}</span>}
      </span>
    ),
  },
  {
    title: 'In the vault',
    cell: (item: Item) => (
      <span>
        <Badge tone={isLost(item) ? 'bad' : vaultTones[item.inVault.state]}>
          {isLost(item) ? 'Lost' : vaultWords[item.inVault.state]}
        </Badge>
        {isLost(item) && (
          <span className="hint"> it is processed again when Atrium is started next</span>
        )}
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
    cell: ({ inVault }: Item) => inVault.passages?.toLocaleString() ?? '–',
  },
  {
    title: 'Size',
    align: 'end' as const,
    narrow: 'hide' as const,
    cell: ({ file }: Item) => bytesOf(file.size),
  },
  {
    title: 'Embedding',
    narrow: 'hide' as const,
    cell: ({ inVault }: Item) => <span className="hint">{inVault.embedding ?? '–'}</span>,
  },
];
